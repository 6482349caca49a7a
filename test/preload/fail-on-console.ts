import { afterEach } from 'node:test'
import { format } from 'node:util'

// Loaded before every test file: a test that writes to console.error fails. A test that expects an error message mocks it with
// t.mock.method(console, 'error').
const written: string[] = []
console.error = (...words: unknown[]) => {
	written.push(format(...words))
}

afterEach(() => {
	const messages = written.splice(0)
	if (messages.length > 0) throw new Error(`The test wrote to console.error:\n${messages.join('\n')}`)
})

process.on('exit', () => {
	if (written.length === 0) return
	process.stderr.write(`Written to console.error outside of a test:\n${written.join('\n')}\n`)
	process.exitCode = 1
})
