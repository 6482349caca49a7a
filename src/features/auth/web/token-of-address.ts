import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from '#lib/web/router/hooks.ts'

/**
 * Returns the token of a mailed link and removes it from the address, so that neither the history nor a shared screen shows it.
 */
export function useTokenOfAddress(): string {
	const { hash } = useLocation()
	const navigate = useNavigate()
	const [token, setToken] = useState(hash.slice(1))
	if (hash && hash.slice(1) !== token) setToken(hash.slice(1))
	useEffect(() => {
		if (hash) void navigate({ hash: '' }, { replace: true })
	}, [hash, navigate])
	return token
}
