-- Sourced at every start, so it does next to nothing: it only watches for buffers that
-- `vim.lsp.enable` would miss because no FileType event comes for them (files of unknown type,
-- buffers without a name). Everything else loads with the first of them.

if vim.g.loaded_agent_lsp then
  return
end
vim.g.loaded_agent_lsp = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('agent_lsp needs Neovim 0.11 or newer; it does nothing here', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufModifiedSet' }, {
  group = vim.api.nvim_create_augroup('agent_lsp.attach', {}),
  desc = 'agent_lsp: attach buffers that get no FileType event',
  callback = function(event)
    require('agent_lsp.attach').on_buffer(event)
  end,
})

local function command(name, nargs, desc, run)
  vim.api.nvim_create_user_command(name, function(args)
    run(args.args ~= '' and args.args or nil)
  end, { nargs = nargs, desc = 'agent_lsp: ' .. desc })
end

command('AgentLspEdits', '?', 'what assistants changed, in all files or one', function(path)
  require('agent_lsp.history').show(path)
end)
command('AgentLspRevert', '?', 'take back a change by its id, or the last one', function(id)
  require('agent_lsp.history').revert(id)
end)
command('AgentLspActivity', 0, 'what assistants do', function()
  require('agent_lsp.activity').show()
end)
command('AgentLspApply', 0, 'agree to the change that an assistant asks for', function()
  require('agent_lsp.consent').apply()
end)
command('AgentLspReject', '*', 'refuse it, with a reason if you like', function(reason)
  require('agent_lsp.consent').reject(reason)
end)
