import pino, { type Logger } from 'pino'

export type Log = Logger

/** Structured logs. Secrets never reach it under these names, and phone numbers are logged through `maskNumber`. Written to stdout where no other place is given. */
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

/** 919876543210 is 9198****3210: enough to follow one recipient through a log, not enough to call them. */
export function maskNumber(number: string): string {
	return number.length < 8 ? '****' : `${number.slice(0, 4)}****${number.slice(-4)}`
}
