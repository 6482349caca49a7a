import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react'

const choices: { scheme: MantineColorScheme; label: string; icon: Icon }[] = [
	{ scheme: 'auto', label: 'System', icon: IconDeviceDesktop },
	{ scheme: 'light', label: 'Light', icon: IconSun },
	{ scheme: 'dark', label: 'Dark', icon: IconMoon },
]

/** Three entries of the profile menu, which stays open to show the effect. */
export function ThemeChoice() {
	const { colorScheme, setColorScheme } = useMantineColorScheme()
	return (
		<>
			<Menu.Label>Theme</Menu.Label>
			{choices.map(({ scheme, label, icon: Mark }) => (
				<Menu.Item
					key={scheme}
					role="menuitemradio"
					aria-checked={colorScheme === scheme}
					closeMenuOnClick={false}
					leftSection={<Mark size={18} stroke={1.7} aria-hidden />}
					rightSection={colorScheme === scheme && <IconCheck size={16} aria-hidden />}
					onClick={() => setColorScheme(scheme)}
				>
					{label}
				</Menu.Item>
			))}
		</>
	)
}
