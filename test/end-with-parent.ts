// Loaded into a child before its own program. Ends the child and all its processes when the process that started it ends.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
process.channel?.unref()
