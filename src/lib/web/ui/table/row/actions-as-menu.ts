import { createContext, useContext } from 'react'

/** Whether the table around a row has room for its actions as one menu alone. */
export const ActionsAsMenu = createContext(false)

export function useActionsAsMenu(): boolean {
	return useContext(ActionsAsMenu)
}
