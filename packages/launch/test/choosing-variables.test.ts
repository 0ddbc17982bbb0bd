import { expect, test } from "vitest";
import { isChoosingCode } from "../src/index.ts";

const launch = { isOwn: (path: string): boolean => !/^(?:\/(?!project)|[a-z]:\\)/i.test(path), isFetched: true };

test.each([
  ["NODE_OPTIONS", "--import ./x.mjs"],
  ["npm_config_userconfig", "/etc/other.npmrc"],
  ["NPM_CONFIG_GLOBALCONFIG", "x.npmrc"],
  ["npm_config_script-shell", "./sh"],
  ["Npm_Config_Node-Options", "--import ./x.mjs"],
  ["pnpm_config_script_shell", "./sh"],
  ["npm_config_pnpmfile", "x.cjs"],
  ["npm_config_call", "touch x"],
  ["npm_config_package", "other"],
  ["npm_config_cache", "cache"],
  ["npm_config_prefix", "/project/global"],
  ["UV_CONFIG_FILE", "/etc/uv.toml"],
  ["UV_OVERRIDE", "x.txt"],
  ["UV_PYTHON", "./python"],
  ["UV_PYTHON_INSTALL_MIRROR", "https://example.com"],
  ["UV_FIND_LINKS", "wheels"],
  ["PIP_CONFIG_FILE", "pip.conf"],
  ["YARN_YARN_PATH", "x.cjs"],
  ["COREPACK_NPM_REGISTRY", "https://example.com"],
  ["NODE_COMPILE_CACHE", "cache"],
  ["DENO_DIR", "deno"],
  ["HOME", "home"],
  ["PATH", "bin:/usr/bin"],
  ["PATH", "/usr/bin:"],
  ["Path", "C:\\Windows;bin"],
  ["PYTHONPATH", "/usr/lib/python:src"],
])("%s=%s chooses code", (name, value) => {
  expect(isChoosingCode(name, value, launch)).toBe(true);
});

test.each([
  ["NODE_OPTIONS", "--enable-source-maps"],
  ["npm_config_userconfig", ""],
  ["NPM_CONFIG_GLOBALCONFIG", "/dev/null"],
  ["npm_config_registry", "https://registry.example.com"],
  ["npm_config_cache", "/var/cache/npm"],
  ["npm_config_loglevel", "silent"],
  ["UV_PYTHON", "3.12"],
  ["UV_PYTHON", "/usr/bin/python3"],
  ["UV_FIND_LINKS", "https://example.com/wheels"],
  ["UV_CACHE_DIR", ""],
  ["PATH", ""],
  ["PATH", "/usr/local/bin:/usr/bin"],
  ["PATH", "C:\\Windows;D:\\bin"],
  ["HOME", "/home/ada"],
  ["PYTHONPATH", "/usr/lib/python"],
  ["TOKEN", "./x"],
])("%s=%s does not choose code", (name, value) => {
  expect(isChoosingCode(name, value, launch)).toBe(false);
});

test("a launch of what is there already imports from where a variable says", () => {
  expect(isChoosingCode("PYTHONPATH", "src", { ...launch, isFetched: false })).toBe(false);
  expect(isChoosingCode("PATH", "bin", { ...launch, isFetched: false })).toBe(true);
});
