// `npm run access`: writes docs/access.md from the contracts.
import { writeFileSync } from 'node:fs'
import { describeAccess } from '#test/readers/access.ts'

writeFileSync(new URL('../docs/access.md', import.meta.url), describeAccess())
