import { isFlag } from "./find-flags.ts";
import { hideWhole, type SearchedText } from "./hide-values.ts";
import { searchText } from "./redact-text.ts";
import { kindOfName } from "./secret-names.ts";

const CONTAINER_RUNNER = /(?:^|[\\/])(?:docker|podman|nerdctl|finch|container)(?:\.exe)?$/i;
const VARIABLE_FLAG = /^(?:--env|--build-arg)$/;
/**
 * Matches a container program's `-eNAME`: the name is in the argument itself, and the next argument, often the image,
 * is not its value.
 */
const PASSED_ON = /^-[dit]*e[A-Z][A-Z0-9_]*$/;
const HEADER_FLAG = /^(?:-H|--headers?)$/;
const LONG_FLAG = /^(--[A-Za-z][\w.-]*)=/;
/** Matches a second assignment, which shows that the argument is a list or a command line. */
const FURTHER_ASSIGNMENT = /[,;&\t-\r ][A-Za-z_]\w*=/;

/** Returns a command's arguments with {@link REDACTED} instead of each secret. */
export function redactArguments(command: string, args: readonly string[]): string[] {
  let inContainer = CONTAINER_RUNNER.test(command);
  return args.map((argument, index) => {
    const searched = searchText(argument);
    hideByPlace(searched, args[index - 1] ?? "", inContainer);
    inContainer ||= CONTAINER_RUNNER.test(argument);
    return searched.hidden.toString();
  });
}

/** Hides an argument that is secret because of the flag before it. */
function hideByPlace(searched: SearchedText, previous: string, inContainer: boolean): void {
  const { text } = searched.hidden;
  const isVariableFlag = (flag: string): boolean => VARIABLE_FLAG.test(flag) || (inContainer && flag === "-e");
  const [assigned, flag = ""] = LONG_FLAG.exec(text) ?? [];
  if (isVariableFlag(previous)) hideVariable(searched, 0);
  else if (HEADER_FLAG.test(previous)) hideHeader(searched, 0);
  else if (assigned !== undefined) {
    if (isVariableFlag(flag)) hideVariable(searched, assigned.length);
    else if (HEADER_FLAG.test(flag)) hideHeader(searched, assigned.length);
    else hideNamed(searched, flag, assigned.length);
  } else if (inContainer && text.startsWith("-e")) hideVariable(searched, 2);
  else if (text.startsWith("-H")) hideHeader(searched, 2);
  else if (inContainer && PASSED_ON.test(previous)) return;
  else if (/^--?[A-Za-z][\w.-]*$/.test(previous) && !isFlag(text)) hideNamed(searched, previous, 0);
}

function hideVariable(searched: SearchedText, start: number): void {
  const { text } = searched.hidden;
  const equals = text.indexOf("=", start);
  if (equals === -1 || FURTHER_ASSIGNMENT.test(text.slice(equals + 1))) return;
  const name = text.slice(start, equals);
  if (/^[\w.-]+$/.test(name)) hideNamed(searched, name, equals + 1);
}

function hideHeader(searched: SearchedText, start: number): void {
  const { text } = searched.hidden;
  const [header, name = ""] = /^([\w-]+)[\t-\r ]*[:=][\t-\r ]*/.exec(text.slice(start)) ?? [];
  if (header !== undefined) hideNamed(searched, name, start + header.length);
}

function hideNamed(searched: SearchedText, name: string, start: number): void {
  const kind = kindOfName(name);
  if (kind) hideWhole(searched, start, kind);
}
