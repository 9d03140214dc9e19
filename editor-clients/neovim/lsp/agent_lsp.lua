-- The server's configuration, data only. `vim.lsp.enable("agent_lsp")` is all a user writes;
-- anything here is changed with `vim.lsp.config("agent_lsp", { … })`. No `filetypes`: an assistant
-- reads every ordinary file, whatever its type.

---@type vim.lsp.Config
return {
  cmd = require('agent_lsp.log').cmd(),
  -- The nearest folder that holds the first of these wins; inside a list all count alike.
  root_markers = {
    { '.git', '.jj', '.hg', '.svn' },
    { 'go.mod', 'package.json', 'Cargo.toml', 'pyproject.toml', 'Makefile' },
  },
  root_dir = function(bufnr, on_dir)
    require('agent_lsp.roots').find(bufnr, on_dir)
  end,
  reuse_client = function(client, config)
    return require('agent_lsp.roots').covers(client, config)
  end,
  get_language_id = function(_, filetype)
    return filetype ~= '' and filetype or 'plaintext'
  end,
  flags = { debounce_text_changes = 0 },
  capabilities = {
    experimental = {
      agentLsp = {
        save = true,
        reload = true,
        resync = true,
        diagnostics = true,
        settled = true,
        references = true,
        rename = true,
        codeActions = true,
        editorState = true,
        confirmEdit = true,
        decisions = true,
        activity = true,
        review = true,
        follow = true,
        line_rule = 'lf',
      },
    },
  },
  handlers = {
    ['agent/save'] = function(_, params)
      return require('agent_lsp.requests').save(params)
    end,
    ['agent/reload'] = function(_, params)
      return require('agent_lsp.requests').reload(params)
    end,
    ['agent/resync'] = function(_, params)
      return require('agent_lsp.requests').resync(params)
    end,
    ['agent/diagnostics'] = function(_, params, ctx)
      return require('agent_lsp.look').diagnostics(params, ctx)
    end,
    ['agent/references'] = function(_, params, ctx)
      return require('agent_lsp.languages').references(params, ctx)
    end,
    ['agent/rename'] = function(_, params, ctx)
      return require('agent_lsp.languages').rename(params, ctx)
    end,
    ['agent/willRename'] = function(_, params)
      return require('agent_lsp.languages').will_rename(params)
    end,
    ['agent/codeActions'] = function(_, params, ctx)
      return require('agent_lsp.languages').code_actions(params, ctx)
    end,
    ['agent/editorState'] = function(_, params, ctx)
      return require('agent_lsp.look').state(params, ctx)
    end,
    ['agent/confirmEdit'] = function(_, params, ctx)
      return require('agent_lsp.consent').handle(params, ctx)
    end,
    ['agent/activity'] = function(_, params, ctx)
      require('agent_lsp.activity').note(params, ctx)
    end,
    ['agent/clients'] = function(_, params, ctx)
      require('agent_lsp.activity').note_clients(params, ctx)
    end,
    ['agent/review/changed'] = function(_, params)
      require('agent_lsp.hunks').note(params)
    end,
    ['agent/follow'] = function(_, params)
      require('agent_lsp.follow').note(params)
    end,
    ['window/showMessage'] = function(_, params)
      require('agent_lsp.notice').show_message(params)
    end,
    ['workspace/applyEdit'] = function(_, params, ctx)
      return require('agent_lsp.apply').handle(params, ctx)
    end,
  },
  before_init = function(params)
    require('agent_lsp.client').before_init(params)
  end,
  on_init = function(client)
    require('agent_lsp.client').prepare(client)
  end,
  on_exit = function(code, signal, client_id)
    require('agent_lsp.restart').on_exit(code, signal, client_id)
  end,
}
