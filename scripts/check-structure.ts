// Checks rules that the linter cannot express: the places of SQL, money and settings, the names and lengths of files, the sizes
// of folders, the order of stages, the words of comments.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrationRules } from './structure/migration-rules.ts'
import { moneyRules } from './structure/money-rules.ts'
import { nameRules, unneededPublicFiles } from './structure/name-rules.ts'
import { placeRules } from './structure/place-rules.ts'
import { faultyCodes, problemRules } from './structure/problem-rules.ts'
import { crowdedFolders, largeFeatures, notTooLong } from './structure/size-rules.ts'
import { isProduct, readSources } from './structure/source.ts'
import { sqlRules } from './structure/sql-rules.ts'
import { stageRules, unusedStages } from './structure/stage-rules.ts'
import { styleRules, unknownClasses } from './structure/style-rules.ts'
import { tableRules, unownedTables } from './structure/table-rules.ts'
import { wordRules } from './structure/word-rules.ts'

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)))
const files = readSources(root)
const rules = [
	...sqlRules,
	...tableRules,
	...migrationRules,
	...moneyRules,
	...placeRules,
	...problemRules,
	...nameRules,
	...stageRules,
	...styleRules,
	...wordRules,
	notTooLong,
]
const problems = [
	...files.flatMap((file) => rules.flatMap((rule) => rule(file))),
	...unusedStages(files),
	...unownedTables(files),
	...unneededPublicFiles(files),
	...faultyCodes(files),
	...unknownClasses(files),
	...crowdedFolders(files),
	...largeFeatures(files),
]

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
