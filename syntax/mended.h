// Grammars that as published the runtime does not load, or whose scanners do
// not keep to their memory, mended.
#ifndef AGENT_LSP_MENDED_H
#define AGENT_LSP_MENDED_H

// Each returns the grammar that the Go binding is built with, but for one
// function of its scanner. The first call of each is not to be concurrent.
void *mended_sql(void);
void *mended_swift(void);

// Returns a grammar of ABI 15 as one of ABI 14, which is the newest that the
// runtime loads, and any other as it is. What it makes lives as long as the
// process.
const void *at_abi_14(const void *language);

#endif
