// `npm run release -- 1.1.0`: writes the version into package.json, package-lock.json and CHANGELOG.md, commits and tags it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { findReleaseProblem, releaseNotes } from './release/changelog.ts'

const root = new URL('..', import.meta.url)
const [version = ''] = process.argv.slice(2)
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')

const current = (JSON.parse(read('package.json')) as { version: string }).version
const problem =
	findReleaseProblem(read('CHANGELOG.md'), { version, current }) ??
	(git('status', '--porcelain') === '' ? null : 'Commit or remove the changes that git status lists.') ??
	(git('branch', '--show-current') === 'main' ? null : 'Releases are made on the branch main.') ??
	(git('tag', '--list', `v${version}`) === '' ? null : `The tag v${version} exists.`)
if (problem !== null) {
	console.error(problem)
	process.exit(1)
}

const today = Temporal.Now.plainDateISO('Asia/Kolkata').toString()
writeFileSync(new URL('CHANGELOG.md', root), releaseNotes(read('CHANGELOG.md'), { version, today }))
execFileSync('npm', ['version', version, '--no-git-tag-version'], { cwd: root })
git('commit', '--all', '--message', `release: ${version}`)
git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
console.log(`Tagged v${version}. Publish it with: git push --follow-tags`)
