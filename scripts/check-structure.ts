// Checks what the linter cannot see: where SQL, money and settings live, what files are called and how long they are.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationRules } from './structure/migration-rules.ts'
import { moneyRules } from './structure/money-rules.ts'
import { placeRules } from './structure/place-rules.ts'
import { nameRules } from './structure/role-names.ts'
import { checkSpread, notTooLong } from './structure/size-rules.ts'
import { isProduct, readSources } from './structure/source.ts'
import { sqlRules } from './structure/sql-rules.ts'

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
const files = readSources(root)
const rules = [...sqlRules, ...migrationRules, ...moneyRules, ...placeRules, ...nameRules, notTooLong]
const problems = [...files.flatMap((file) => rules.flatMap((rule) => rule(file))), ...checkSpread(files)]

for (const { path, line, message } of problems) console.log(`${path}:${line}  ${message}`)
if (!files.some(isProduct)) {
	console.log(`Nothing to examine: there is no source under ${root}/src.`)
	process.exitCode = 1
} else if (problems.length > 0) {
	console.log(`\n${problems.length} problems in ${files.length} files`)
	process.exitCode = 1
} else {
	console.log(`OK, ${files.length} files examined`)
}
