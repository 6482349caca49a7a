// 64 CHARACTERS, so that six bits of a random byte choose one evenly. Those that look alike (0 O, 1 l I, o) are left out.
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789-_+=@#%!'

/** Fourteen CHARACTERS, 84 bits: more than anybody guesses, and still short enough to be read out. */
export function generatePassword(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('')
}
