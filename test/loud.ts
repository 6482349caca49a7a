import { afterEach } from 'node:test'
import { format } from 'node:util'

// Loaded before every test file. A test that expects an error message says so with t.mock.method(console, 'error').
const said: string[] = []
console.error = (...words: unknown[]) => {
	said.push(format(...words))
}

afterEach(() => {
	const messages = said.splice(0)
	if (messages.length > 0) throw new Error(`The test wrote to console.error:\n${messages.join('\n')}`)
})

process.on('exit', () => {
	if (said.length === 0) return
	process.stderr.write(`Written to console.error outside of a test:\n${said.join('\n')}\n`)
	process.exitCode = 1
})
