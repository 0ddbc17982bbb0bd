process.stderr.write("\u001b[31mmissing dependency\u001b[0m\n\u202enot what it seems\n", () => process.exit(3));
