import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun, type Icon } from '@tabler/icons-react'

const CHOICES: { scheme: MantineColorScheme; label: string; icon: Icon }[] = [
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
			{CHOICES.map(({ scheme, label, icon: Mark }) => (
				<Menu.RadioItem
					key={scheme}
					value={scheme}
					checked={colorScheme === scheme}
					checkIcon={<IconCheck size={16} aria-hidden />}
					rightSection={<Mark size={18} stroke={1.7} aria-hidden />}
					onChange={() => setColorScheme(scheme)}
				>
					{label}
				</Menu.RadioItem>
			))}
		</>
	)
}
