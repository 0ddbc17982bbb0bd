/**
 * Properties that the Java platform or a framework for logging or startup reads: some of them name classes, folders or
 * configuration files. The properties in the second group have no such effect.
 */
const PROPERTY =
  /(?!(?:javax?|jdk|sun|com\.sun|oracle|jvmci|graal|polyglot|loader|log4j2?|logback|logging|spring\.(?:config|main\.sources|factories|cloud\.bootstrap)|quarkus\.config|micronaut\.config)\.(?!awt\.headless=|net\.preferIPv[46]\w+=|io\.tmpdir=|stdout\.encoding=|stderr\.encoding=|level\.|file\.(?:name|path)=)|user\.(?:dir|home))[\w.-]+/;
/** Options of the virtual machine: switches, and the sizes of memory and of garbage collections. */
const VM =
  /[+-](?!EnableJVMCI|UseJVMCI|AutoCreateShared)\w+|(?:Max|Min|Initial|Reserved|New|Old|Survivor|Target|Heap|G1|Z|Shenandoah|Parallel|Conc|CI|Active|Thread|Code|Compressed|Soft|Tiered|String|Metaspace|Native|Start)\w*=[\w.%]+/;

/** Matches a word that is an option of `java` and names no code, or names an agent, which is recorded separately. */
export const JAVA_OPTION: RegExp = new RegExp(
  `^-(?:X(?:m[sxn]|ss)\\d+[kmgt]?|D${PROPERTY.source}(?:=.*)?|XX:(?:${VM.source})|(?:ea|da|enableassertions|disableassertions):[\\w.$]+|verbose:\\w+|Xlog:.*|agentlib:jdwp(?:=.*)?|javaagent:.+|agentpath:.+)$`,
  "is",
);

/** Java virtual machine options that a variable may contain and that load nothing. */
export const JAVA_HARMLESS: RegExp = new RegExp(
  `^-(?:X(?:m[sxn]|ss)\\d+[kmgt]?|D${PROPERTY.source}(?:=.*)?|XX:(?:${VM.source})|server|client)$`,
  "is",
);
