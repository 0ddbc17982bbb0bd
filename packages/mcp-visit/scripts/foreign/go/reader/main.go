// Command reader prints what the official library of Go reads from each line of hexadecimal bytes: a list of messages, or of "refused".
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type silent struct{ io.Writer }

func (silent) Close() error { return nil }

func read(data []byte) []json.RawMessage {
	messages := []json.RawMessage{}
	ctx := context.Background()
	transport := &mcp.IOTransport{Reader: io.NopCloser(bytes.NewReader(append(data, '\n'))), Writer: silent{io.Discard}}
	connection, err := transport.Connect(ctx)
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	for {
		message, err := connection.Read(ctx)
		if errors.Is(err, io.EOF) {
			return messages
		}
		if err != nil {
			return append(messages, json.RawMessage(`"refused"`))
		}
		text, err := jsonrpc.EncodeMessage(message)
		if err != nil {
			panic(err)
		}
		messages = append(messages, text)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		data, err := hex.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		text, err := json.Marshal(read(data))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}
