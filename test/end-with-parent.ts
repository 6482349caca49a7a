// Loaded into a child before its own program: ends it, with all that it has started, when the process that started it ends.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'))
process.channel?.unref()
