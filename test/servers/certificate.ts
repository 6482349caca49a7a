import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'

/** Certificate and private key of a server on 127.0.0.1, as PEM. */
export interface TestCertificate {
	key: string
	cert: string
	/** Paths of files with `key` and `cert` for other processes. Removed when this process ends. */
	keyFile: string
	certFile: string
}

let certificate: Promise<TestCertificate> | undefined

/**
 * Returns a certificate that this process trusts. Other processes trust it by NODE_EXTRA_CA_CERTS. Each call returns a new
 * promise: awaiting the promise of another test file would assign the caller's tests to that file.
 */
export async function trustedCertificate(): Promise<TestCertificate> {
	certificate ??= makeCertificate()
	return certificate
}

async function makeCertificate(): Promise<TestCertificate> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	})
	setDefaultCACertificates([...getCACertificates(), cert])
	const [keyFile, certFile] = ['key', 'cert'].map((name) => join(tmpdir(), `test-${process.pid}-${name}.pem`)) as [
		string,
		string,
	]
	writeFileSync(keyFile, key, { mode: 0o600 })
	writeFileSync(certFile, cert)
	process.once('exit', () => {
		for (const file of [keyFile, certFile]) rmSync(file, { force: true })
	})
	return { key, cert, keyFile, certFile }
}
