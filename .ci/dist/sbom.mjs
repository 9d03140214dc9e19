// node sbom.mjs VERSION COMMIT SECONDS PROGRAM: prints what a release is made of, as CycloneDX 1.6.
// SECONDS is the commit's time, since 1970. The same input gives the same bytes.
import { createHash } from 'node:crypto';
import { goModules, goVersion, grammars, licenceTexts, npmPackages, spdx } from './parts.mjs';

const [, , version, commit, seconds, program] = process.argv;
const modules = goModules(program);
const hex = (base64) => Buffer.from(base64, 'base64').toString('hex');
const licences = (id) => [{ license: { id } }];

const library = (ref, name, version, more = {}) => ({ type: 'library', 'bom-ref': ref, name, version, purl: ref, ...more });

const main = `pkg:golang/github.com/agent-lsp/agent-lsp@${version}`;
const extension = `pkg:npm/agent-lsp@${version}`;
const treeSitter = modules.find((m) => m.name === 'github.com/smacker/go-tree-sitter');

const ref = (m) => `pkg:golang/${m.name}@${m.version}`;
const ofGo = modules.map((m) =>
  library(ref(m), m.name, m.version, {
    // Go's checksum of a module is over its files' checksums: it is no file's, so no hash of CycloneDX's.
    licenses: licences(spdx(licenceTexts(m.folder).join('\n'))),
    properties: [{ name: 'go:sum', value: m.sum }],
  }),
);
const std = library(`pkg:golang/std@${goVersion()}`, 'std', goVersion(), { licenses: licences('BSD-3-Clause') });
const ofGrammars = grammars(modules).map((g) => {
  const [owner, name] = new URL(g.url).pathname.slice(1).split('/');
  return library(`pkg:github/${owner.toLowerCase()}/${name.toLowerCase()}@${g.revision}`, name, g.revision, {
    description: `grammar: ${g.name}`,
    externalReferences: [{ type: 'vcs', url: g.url }],
  });
});
const ofNpm = npmPackages().map((p) =>
  library(`pkg:npm/${p.name.replace('@', '%40')}@${p.version}`, p.name, p.version, {
    licenses: licences(p.license),
    hashes: [{ alg: 'SHA-512', content: hex(p.integrity.replace('sha512-', '')) }],
  }),
);

const refs = (list) => list.map((c) => c['bom-ref']);
const digest = createHash('sha256').update(`${version} ${commit}`).digest('hex');
const serial = [digest.slice(0, 8), digest.slice(8, 12), '5' + digest.slice(13, 16), '8' + digest.slice(17, 20), digest.slice(20, 32)].join('-');

console.log(JSON.stringify({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${serial}`,
  version: 1,
  metadata: {
    timestamp: new Date(seconds * 1000).toISOString(),
    component: {
      type: 'application', 'bom-ref': main, name: 'agent-lsp', version, purl: main, licenses: licences('MIT'),
      externalReferences: [{ type: 'vcs', url: 'https://github.com/agent-lsp/agent-lsp', comment: `commit ${commit}` }],
    },
  },
  components: [
    { type: 'application', 'bom-ref': extension, name: 'agent-lsp for VS Code', version, licenses: licences('MIT') },
    std, ...ofGo, ...ofGrammars, ...ofNpm,
  ],
  dependencies: [
    { ref: main, dependsOn: [std['bom-ref'], ...refs(ofGo)] },
    { ref: ref(treeSitter), dependsOn: refs(ofGrammars) },
    { ref: extension, dependsOn: [main, ...refs(ofNpm)] },
  ],
}, null, 2));
