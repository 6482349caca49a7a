import pino, { type Logger } from 'pino'

export type Log = Logger

/**
 * Creates a structured log, to stdout by default. Hides the values under secret names; callers never pass phone
 * numbers.
 */
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
