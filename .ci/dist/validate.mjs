// node validate.mjs SBOM.json: fails when it does not keep the schema that CycloneDX 1.6 is published by.
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import fs from 'node:fs';

const text = fs.readFileSync(process.argv[2], 'utf8');
const wrong = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
if (wrong !== null) {
  console.error(JSON.stringify(wrong, null, 2));
  process.exit(1);
}
console.log(`${JSON.parse(text).components.length} components, by the schema of CycloneDX 1.6`);
