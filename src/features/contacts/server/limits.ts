import { AppError } from '#lib/server/errors.ts'

/** Returns the 409 for a list of an account that is full; `most` names its bound, as in "2,000 contact groups". */
export function tooMany(most: string): AppError {
	return new AppError(
		409,
		`Your account has ${most}, which is the most it may have. Delete one that you no longer use.`,
	)
}
