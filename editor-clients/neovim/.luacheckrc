-- What `luacheck .` checks here: plugin and tests, as Neovim's LuaJIT sees them.
std = 'luajit'
globals = { 'vim' }
max_line_length = 100
exclude_files = { 'node_modules' }
