// Grammars whose scanners do not keep to their memory as published, mended.
#ifndef AGENT_LSP_MENDED_H
#define AGENT_LSP_MENDED_H

// Each returns the grammar that the Go binding is built with, but for one
// function of its scanner. The first call of each is not to be concurrent.
void *mended_sql(void);
void *mended_svelte(void);
void *mended_swift(void);

#endif
