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

vim.api.nvim_create_user_command('AgentLsp', function(args)
  local first = args.range > 0 and args.line1 or nil
  require('agent_lsp.command').run(args.fargs, first, first and args.line2)
end, {
  nargs = '*',
  range = true,
  desc = 'agent_lsp: what assistants see and do',
  complete = function(lead, line)
    return require('agent_lsp.command').complete(lead, line)
  end,
})
