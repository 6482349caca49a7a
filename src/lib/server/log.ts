import pino, { type Logger } from 'pino'

export type Log = Logger

/** Structured logs. Secrets never reach it under these names; phone numbers are not logged at all. Written to stdout where no other place is given. */
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
