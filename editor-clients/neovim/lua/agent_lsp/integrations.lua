--- The server's tools inside chat plugins: codecompanion.nvim, avante.nvim, mcphub.nvim. Each is
--- opted in by one line of the person's configuration; none is loaded or changed otherwise.
---
--- What a tool is (name, description, schema) comes from the running server, so it is registered
--- when that is known.

local M = {}

local LIST_TIMEOUT = 1000 -- ms

---@class agent_lsp.Tool as agent/tools/list has it
---@field name string
---@field description string
---@field inputSchema table JSON Schema of an object

---@type agent_lsp.Tool[]?
local known

---@type (fun(tools: agent_lsp.Tool[]))[]
local waiting = {}

---@param err? table
---@param answer? {tools: agent_lsp.Tool[]}
local function learn(err, answer)
  if err or not answer then
    return
  end
  known = answer.tools
  local callbacks = waiting
  waiting = {}
  for _, callback in ipairs(callbacks) do
    callback(known)
  end
end

---@return vim.lsp.Client?
local function server()
  local client = require('agent_lsp.calls').pick()
  return client and client.initialized and client or nil
end

--- Calls back with the tools, now or when the first server runs.
---@param callback fun(tools: agent_lsp.Tool[])
local function with_tools(callback)
  if known then
    callback(known)
    return
  end
  waiting[#waiting + 1] = callback
  if server() then
    server():request('agent/tools/list', vim.empty_dict(), learn)
  elseif #waiting == 1 then
    vim.api.nvim_create_autocmd('LspAttach', {
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == 'agent_lsp' then
          client:request('agent/tools/list', vim.empty_dict(), learn)
          return true
        end
      end,
    })
  end
end

--- What a language model reads of an answer.
---@param result agent_lsp.Result
---@return string
local function text_of(result)
  local parts = {}
  for _, item in ipairs(result.content) do
    parts[#parts + 1] = item.text
  end
  local output = result.structuredContent or {}
  if type(output.content) == 'string' then
    parts[#parts + 1] = output.content
  end
  for _, file in ipairs(result.isError and {} or output.files or {}) do
    parts[#parts + 1] = file.diff
  end
  return table.concat(parts, '\n\n')
end

--- Calls a tool for a chat plugin.
---@param tool string
---@param arguments table
---@param done fun(text?: string, problem?: string) exactly one of them
local function call(tool, arguments, done)
  require('agent_lsp.calls').call(tool, arguments, function(err, result)
    if err then
      done(nil, err.message)
    elseif result.isError then
      done(nil, text_of(result))
    else
      done(text_of(result))
    end
  end)
end

--- A JSON Schema's property as a field of avante's.
---@param name string
---@param schema table
---@param optional? boolean
---@return table
local function avante_field(name, schema, optional)
  local kind = schema.type
  if type(kind) == 'table' then
    kind = vim.iter(kind):find(function(one)
      return one ~= 'null'
    end)
  end
  local field = {
    name = name,
    description = schema.description or name,
    type = kind or 'string',
    choices = schema.enum,
    optional = optional or nil,
  }
  if kind == 'object' then
    field.fields = M.avante_fields(schema)
  elseif kind == 'array' then
    field.items = avante_field('item', schema.items or { type = 'string' })
  end
  return field
end

---@param schema table of an object
---@return table[]
function M.avante_fields(schema)
  local fields = {}
  for name, property in vim.spairs(schema.properties or {}) do
    local required = vim.list_contains(schema.required or {}, name)
    fields[#fields + 1] = avante_field(name, property, not required)
  end
  return fields
end

---@param tool agent_lsp.Tool
---@return table
local function avante_tool(tool)
  return {
    name = 'agent_lsp_' .. tool.name,
    description = tool.description,
    param = { type = 'table', fields = M.avante_fields(tool.inputSchema) },
    returns = {
      { name = 'result', description = 'The answer', type = 'string' },
      { name = 'error', description = 'Why it was refused', type = 'string', optional = true },
    },
    -- Its manual says (params, on_log, on_complete), its code passes (params, opts).
    func = function(params, opts, on_complete)
      on_complete = on_complete or type(opts) == 'table' and opts.on_complete
      call(tool.name, params, on_complete)
    end,
  }
end

--- See require('agent_lsp').avante_tools. Empty until a server runs: avante asks at each message.
---@return table[]
function M.avante()
  if not known and server() then
    local answer = server():request_sync('agent/tools/list', vim.empty_dict(), LIST_TIMEOUT)
    learn(answer and answer.err, answer and answer.result)
  end
  return vim.tbl_map(avante_tool, known or {})
end

--- Puts an answer, or why there is none, into the chat.
---@param tool table
---@param output string[]
---@param meta {tools: table}
local function to_chat(tool, output, meta)
  meta.tools.chat:add_tool_output(tool, tostring(output[#output]))
end

---@param tool agent_lsp.Tool
---@return table
local function codecompanion_tool(tool)
  local name = 'agent_lsp_' .. tool.name
  return {
    name = name,
    description = tool.description:match('^[^.]*'),
    cmds = {
      function(_, args, opts)
        call(tool.name, args, function(text, problem)
          opts.output_cb({ status = problem and 'error' or 'success', data = problem or text })
        end)
      end,
    },
    schema = {
      type = 'function',
      ['function'] = {
        name = name,
        description = tool.description,
        parameters = tool.inputSchema,
      },
    },
    output = { success = to_chat, error = to_chat },
  }
end

--- Adds the tools, and the group @{agent_lsp} of them all, to codecompanion's configuration. Called
--- by its extension of our name.
function M.codecompanion()
  with_tools(function(tools)
    local config = require('codecompanion.config')
    local place = config.interactions.chat.tools
    local names = {}
    for _, tool in ipairs(tools) do
      local name = 'agent_lsp_' .. tool.name
      place[name] = codecompanion_tool(tool)
      names[#names + 1] = name
    end
    place.groups = place.groups or {}
    place.groups.agent_lsp = {
      description = 'Read, search and edit files as the editor has them, unsaved text included',
      tools = names,
    }
  end)
end

--- See require('agent_lsp').register_mcphub.
function M.mcphub()
  with_tools(function(tools)
    local hub = require('mcphub')
    for _, tool in ipairs(tools) do
      hub.add_tool('agent_lsp', {
        name = tool.name,
        description = tool.description,
        inputSchema = tool.inputSchema,
        handler = function(req, res)
          call(tool.name, req.params or {}, function(text, problem)
            if problem then
              res:error(problem)
            else
              res:text(text):send()
            end
          end)
        end,
      })
    end
  end)
end

return M
