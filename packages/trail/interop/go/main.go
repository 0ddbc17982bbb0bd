// Command interop checks checkpoints and proofs with the Go implementations of signed notes, cosignatures and
// tiled logs, and makes some of its own. It reads one JSON request from stdin and writes one JSON answer.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type inclusion struct {
	Index  int64    `json:"index"`
	Size   int64    `json:"size"`
	Hashes []string `json:"hashes"`
}

type consistency struct {
	OldSize int64    `json:"oldSize"`
	NewSize int64    `json:"newSize"`
	Hashes  []string `json:"hashes"`
}

type request struct {
	VerifierKey string        `json:"verifierKey"`
	CosignerKey string        `json:"cosignerKey"`
	Note        string        `json:"note"`
	Records     []string      `json:"records"`
	Inclusions  []inclusion   `json:"inclusions"`
	Consistency []consistency `json:"consistency"`
}

type answer struct {
	VerifierKey string        `json:"verifierKey"`
	CosignerKey string        `json:"cosignerKey"`
	SignerKey   string        `json:"signerKey"`
	Note        string        `json:"note"`
	Roots       []string      `json:"roots"`
	Inclusions  []inclusion   `json:"inclusions"`
	Consistency []consistency `json:"consistency"`
}

type storage []tlog.Hash

func (s *storage) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		hashes[i] = (*s)[index]
	}
	return hashes, nil
}

func main() {
	var in request
	check(json.NewDecoder(os.Stdin).Decode(&in))
	tree := &storage{}
	leaves := make([]tlog.Hash, len(in.Records))
	roots := []tlog.Hash{must(tlog.TreeHash(0, tree))}
	for i, record := range in.Records {
		data := must(hex.DecodeString(record))
		leaves[i] = tlog.RecordHash(data)
		*tree = append(*tree, must(tlog.StoredHashes(int64(i), data, tree))...)
		roots = append(roots, must(tlog.TreeHash(int64(i)+1, tree)))
	}
	size := int64(len(in.Records))
	verify(in, size, leaves, roots)
	check(json.NewEncoder(os.Stdout).Encode(produce(size, tree, roots)))
}

func verify(in request, size int64, leaves, roots []tlog.Hash) {
	log := must(note.NewVerifier(in.VerifierKey))
	witness := must(cosignature.NewVerifierForCosignatureV1(in.CosignerKey))
	opened := must(note.Open([]byte(in.Note), note.VerifierList(log, witness)))
	require(len(opened.Sigs) == 2 && len(opened.UnverifiedSigs) == 0, "expected two verified signatures")
	parsed := must(tlog.ParseTree([]byte(opened.Text)))
	require(parsed.N == size && parsed.Hash == roots[size], "the checkpoint states another tree")
	for _, p := range in.Inclusions {
		check(tlog.CheckRecord(tlog.RecordProof(decode(p.Hashes)), p.Size, roots[p.Size], p.Index, leaves[p.Index]))
	}
	for _, p := range in.Consistency {
		check(tlog.CheckTree(tlog.TreeProof(decode(p.Hashes)), p.NewSize, roots[p.NewSize], p.OldSize, roots[p.OldSize]))
	}
}

func produce(size int64, tree *storage, roots []tlog.Hash) answer {
	signerKey, verifierKey, err := note.GenerateKey(rand.Reader, "go.example/log")
	check(err)
	witnessKey, witnessVerifierKey, err := note.GenerateKey(rand.Reader, "go.example/witness")
	check(err)
	signer := must(note.NewSigner(signerKey))
	witness := must(cosignature.NewSignerForCosignatureV1(witnessKey))
	text := tlog.FormatTree(tlog.Tree{N: size, Hash: roots[size]})
	signed := must(note.Sign(&note.Note{Text: string(text)}, signer, witness))
	out := answer{
		VerifierKey: verifierKey,
		CosignerKey: must(cosignature.VKeyToCosignatureV1(witnessVerifierKey)),
		SignerKey:   signerKey,
		Note:        string(signed),
		Roots:       encode(roots),
	}
	for n := int64(1); n <= size; n++ {
		for m := int64(0); m < n; m++ {
			out.Inclusions = append(out.Inclusions, inclusion{m, n, encode(must(tlog.ProveRecord(n, m, tree)))})
		}
		for m := int64(1); m <= n; m++ {
			out.Consistency = append(out.Consistency, consistency{m, n, encode(must(tlog.ProveTree(n, m, tree)))})
		}
	}
	return out
}

func encode(hashes []tlog.Hash) []string {
	texts := []string{}
	for _, hash := range hashes {
		texts = append(texts, hex.EncodeToString(hash[:]))
	}
	return texts
}

func decode(texts []string) []tlog.Hash {
	hashes := []tlog.Hash{}
	for _, text := range texts {
		hashes = append(hashes, tlog.Hash(must(hex.DecodeString(text))))
	}
	return hashes
}

func require(condition bool, message string) {
	if !condition {
		check(fmt.Errorf("%s", message))
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
