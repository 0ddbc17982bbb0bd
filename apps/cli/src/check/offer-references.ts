import { type Client, clientOfFile, referenceTo } from "@agentprint/client-configs";
import type { Launch } from "@agentprint/launch";
import { isRedacted, redactLaunch } from "@agentprint/launch/redact";
import { EditedConfigs, type EditedWord } from "../compare-configs/edited-configs.ts";
import type { PlannedFile } from "../files/planned-file.ts";
import { wordsByPointer } from "../launch/launch-secrets.ts";
import { type SecretReference, variablesInWords, withSecretReferences } from "../launch/secret-references.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import { confirm } from "../terminal/confirm.ts";
import { printNotices } from "../terminal/notices.ts";
import type { VisitResult } from "../visit/visit-servers.ts";

/** Visits with the launches that will be pinned, and the configurations to write for them. */
interface OfferedReferences {
  readonly visits: readonly VisitResult[];
  readonly files: readonly PlannedFile[];
}

/**
 * Offers to replace the secrets in launches with references, so that the servers can be started from the lock; also in
 * the configuration that contains a launch, if its client fills in references.
 *
 * @param planned The paths of the configurations that are written for a different reason; nothing is offered for them
 */
export async function offerReferences(
  context: Context,
  visits: readonly VisitResult[],
  targets: readonly ServerTarget[],
  planned: readonly string[],
): Promise<OfferedReferences> {
  const configs = new EditedConfigs(context);
  const offered: VisitResult[] = [];
  for (const visit of visits) {
    const target = targets.find(({ name }) => name === visit.name);
    const isPlanned = target?.place && planned.includes(configs.pathOf(target.place.path));
    offered.push(target && !isPlanned ? await offerReference(context, visit, target, configs) : visit);
  }
  return { visits: offered, files: configs.files() };
}

async function offerReference(
  context: Context,
  visit: VisitResult,
  { launch: written, place }: ServerTarget,
  configs: EditedConfigs,
): Promise<VisitResult> {
  if ("error" in visit) return visit;
  const { name, answers } = visit;
  const redacted = redactLaunch(answers.launch);
  if (!isRedacted(redacted)) return visit;
  const { launch, references } = withSecretReferences(name, redacted);
  const variables = variablesInWords(references);
  const leftOut = `The lock leaves out a secret in the launch of ${name}`;
  if (place === undefined) {
    const question = `${leftOut}, and cannot start the server without it. Replace it with references to ${variables}?`;
    if (!(await confirm(context, question, false))) return visit;
  } else {
    const client = clientOfFile(place.file);
    if (client?.variables === undefined) return visit;
    const words = editedWords(client, written, launch, references);
    if (!(await configs.hasWords(place, words))) return visit;
    const question = `${leftOut}. Replace it with references to ${variables}, in the lock and in ${place.file}, where ${client.name} fills them in?`;
    if (!(await confirm(context, question, false))) return visit;
    await configs.replaceWords([place], words, []);
  }
  const also = place === undefined ? "" : ", or a client that starts it";
  printNotices(context, [`set ${variables} to the omitted values before agentprint check, approve or guard${also}`]);
  return { name, answers: { ...answers, launch } };
}

/** Returns the words of a launch that contain secrets, each with its replacement as a client writes it. */
function editedWords(
  client: Client,
  written: Launch,
  launch: Launch,
  references: readonly SecretReference[],
): EditedWord[] {
  const [before, after] = [wordsByPointer(written), wordsByPointer(launch)];
  return [...new Set(references.map(({ pointer }) => pointer))].map((pointer) => ({
    pointer,
    before: before.get(pointer) ?? "",
    after: references.reduce(
      (word, { variable }) => word.replaceAll(`\${env:${variable}}`, () => referenceTo(variable, client) ?? ""),
      after.get(pointer) ?? "",
    ),
  }));
}
