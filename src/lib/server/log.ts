import pino, { type Logger } from 'pino'

export type Log = Logger

/** Structured logs, to stdout by default. Values under these names are hidden; phone numbers are never passed to it. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
	const options = {
		level,
		serializers: { error: pino.stdSerializers.err },
		redact: {
			paths: [
				'req.headers.authorization',
				'authorization',
				'password',
				'token',
				'access_token',
				'app_secret',
				'*.password',
				'*.token',
				'*.access_token',
				'*.app_secret',
			],
			censor: '[hidden]',
		},
	}
	return destination ? pino(options, destination) : pino(options)
}
