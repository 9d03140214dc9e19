-- What `luacheck .` checks here: plugin and tests, as Neovim's LuaJIT sees them.
std = 'luajit'
read_globals = { 'vim' }
globals = { 'vim.bo', 'vim.wo', 'vim.o', 'vim.go', 'vim.g', 'vim.b', 'vim.v', 'vim.env', 'vim.opt' }
max_line_length = 120
exclude_files = { 'node_modules' }
