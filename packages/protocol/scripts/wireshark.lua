-- Reads messages by their declarations, like packages/protocol/src/internal/interpret.
local sourcewire = Proto("sourcewire", "Game-server query (A2S, Sourcewire)")

local SIZES = { u8 = 1, u16 = 2, i32 = 4, u32 = 4, f32 = 4, u64 = 8 }
local MAKERS = {
  u8 = ProtoField.uint8, u16 = ProtoField.uint16, i32 = ProtoField.int32, u32 = ProtoField.uint32,
  f32 = ProtoField.float, u64 = ProtoField.uint64, flag = ProtoField.uint8, marker = ProtoField.uint8,
  bits = ProtoField.uint8, code = ProtoField.uint8, bytes = ProtoField.bytes, literal = ProtoField.bytes
}

-- Wireshark fields by message and path. Texts and numbers in digits are strings.
local known = {}
local all = {}
local function abbreviation(tag, path)
  return string.lower("sourcewire." .. tag .. "." .. path)
end
local function declare(tag, path, kind, name, doc)
  local abbrev = abbreviation(tag, path)
  if known[abbrev] then return end
  local make = MAKERS[kind]
  local field
  if make == ProtoField.bytes then field = make(abbrev, name, base.SPACE, doc)
  elseif make == ProtoField.float then field = make(abbrev, name, doc)
  elseif make then field = make(abbrev, name, base.DEC, nil, nil, doc)
  else field = ProtoField.string(abbrev, name, base.ASCII, doc) end
  known[abbrev] = field
  all[#all + 1] = field
end
local function declareElement(tag, prefix, element)
  local path = prefix .. element.name
  if element.kind == "group" then
    for _, one in ipairs(element.fields) do declareElement(tag, path .. ".", one) end
  elseif element.kind == "list" then
    declare(tag, prefix .. element.count.name, element.count.kind, element.count.name, element.count.doc)
    for _, one in ipairs(element.entry) do declareElement(tag, path .. ".", one) end
    for _, one in ipairs(element.appended or {}) do declareElement(tag, path .. ".", one) end
  else
    declare(tag, path, element.kind, element.name, element.doc)
    if element.kind == "bits" then
      for _, one in ipairs(element.fields) do declareElement(tag, prefix, one.element) end
    end
  end
end
for tag, message in pairs(messages) do
  declare(tag, "header", "i32", "header", "-1: a whole message")
  if message.type then declare(tag, "type", "u8", "type", message.valve) end
  for _, element in ipairs(message.fields) do declareElement(tag, "", element) end
  declare(tag, "padding", "bytes", "padding", "Two bytes of padding")
  declare(tag, "end", "string", "end", "The end of the list")
  declare(tag, "trailing", "bytes", "trailing", "Bytes after the message")
  declare(tag, "unread", "bytes", "unread", "Bytes that could not be read")
end
local messageName = ProtoField.string("sourcewire.message", "Message")
all[#all + 1] = messageName
sourcewire.fields = all
local malformed = ProtoExpert.new("sourcewire.malformed", "The message cannot be decoded", expert.group.MALFORMED, expert.severity.ERROR)
sourcewire.experts = { malformed }

-- A reader of one datagram. If a field cannot be read, the reader stops with an error that has the path of the field.
local Reader = {}
Reader.__index = Reader

function Reader:left() return self.length - self.at end
function Reader:text() return self.buffer:raw(self.at, self:left()) end
function Reader:need(bytes, path)
  if self:left() < bytes then error({ path = path }) end
end
-- Records a field. If an entry turns out to be incomplete, `tries` removes its fields.
function Reader:note(path, from, kind)
  self.notes[#self.notes + 1] = { path = path, from = from, length = self.at - from, kind = kind }
end
function Reader:number(kind, path)
  local size = SIZES[kind]
  self:need(size, path)
  local range = self.buffer(self.at, size)
  self.at = self.at + size
  if kind == "i32" then return range:le_int() end
  if kind == "f32" then return range:le_float() end
  if kind == "u64" then return range:le_uint64() end
  return range:le_uint()
end
function Reader:onlyZeros()
  for i = self.at, self.length - 1 do if self.buffer(i, 1):uint() ~= 0 then return false end end
  return true
end

local readElements

local function isPresent(reader, when, fields)
  for _, one in ipairs(when or {}) do
    if one.usually ~= nil then
      if not one.usually then return false end
    elseif one.left == "some" then
      if reader:left() == 0 then return false end
    elseif one.left then
      if reader:left() ~= one.left then return false end
    elseif fields[one.field] ~= one.equals then return false end
  end
  return true
end

-- Runs a step. If it fails, the reader is reset to its state before the step.
local function tries(reader, step)
  local at, count = reader.at, #reader.notes
  if pcall(step) then return true end
  reader.at = at
  for i = #reader.notes, count + 1, -1 do reader.notes[i] = nil end
  return false
end

local function readText(reader, element, path)
  local from = reader.at
  while reader.at < reader.length and reader.buffer(reader.at, 1):uint() ~= 0 do reader.at = reader.at + 1 end
  if reader.at < reader.length then reader.at = reader.at + 1
  elseif not element.unterminated then reader.at = from; error({ path = path }) end
  reader:note(path, from, "text")
end

local function readMatch(reader, path, kind, pattern, fallback)
  local from = reader.at
  local found = string.match(reader:text(), pattern) or (fallback and string.match(reader:text(), fallback))
  if not found then return false end
  reader.at = from + #found
  reader:note(path, from, kind)
  return found
end

local function readLiteral(reader, element, path)
  local from = reader.at
  local text = element.text
  if element.optional then
    for i = 1, #text do
      if reader:left() > 0 and reader.buffer(reader.at, 1):uint() == string.byte(text, i) then reader.at = reader.at + 1 end
    end
    if reader.at > from then reader:note(path, from, "literal") end
    return
  end
  local rest = reader:text()
  if string.sub(rest, 1, #text) == text then reader.at = from + #text
  elseif string.sub(text, -1) == "\0" and rest == string.sub(text, 1, -2) then reader.at = from + #rest
  else error({ path = path }) end
  reader:note(path, from, "literal")
end

local BELIEVABLE = 0x01000000

local function readList(reader, element, prefix, fields)
  local from = reader.at
  local announced = reader:number(element.count.kind, element.count.name)
  reader:note(prefix .. element.count.name, from, element.count.kind)
  local path = prefix .. element.name .. "."
  local entries = 0
  local function readOn(most)
    while entries < most and reader:left() > 0 do
      if most == math.huge and reader:onlyZeros() then return end
      if entries > element.max or not tries(reader, function() readElements(reader, element.entry, path, {}) end) then return end
      entries = entries + 1
    end
  end
  readOn(announced)
  if reader:left() == 0 then return end
  if element.appended and entries > 0 then
    local size = 0
    for _, one in ipairs(element.appended) do size = size + SIZES[one.kind] end
    if reader:left() == entries * size then
      local isBelievable = tries(reader, function()
        for _ = 1, entries do
          for _, one in ipairs(element.appended) do
            local at = reader.at
            if math.abs(reader:number(one.kind, one.name)) > BELIEVABLE then error({ path = one.name }) end
            reader:note(path .. one.name, at, one.kind)
          end
        end
      end)
      if isBelievable then return end
    end
  end
  if not reader:onlyZeros() then readOn(math.huge) end
end

local function readAddresses(reader, path)
  if reader:left() % 6 == 2 and reader.buffer(reader.at, 2):uint() == 0 then
    reader.at = reader.at + 2
    reader:note("padding", reader.at - 2, "bytes")
  end
  while reader:left() >= 6 do
    local from = reader.at
    reader.at = from + 6
    local isEnd = reader.buffer(from, 4):uint() == 0 and reader.buffer(from + 4, 2):uint() == 0
    reader:note(isEnd and "end" or path, from, "addresses")
    if isEnd then return end
  end
end

local function readElement(reader, element, prefix, fields)
  local kind, name = element.kind, element.name
  local path = prefix .. name
  local from = reader.at
  if kind == "text" then readText(reader, element, path)
  elseif kind == "flag" or kind == "marker" then
    local value = reader:number("u8", path)
    fields[name] = value
    if kind == "flag" then fields[name] = value ~= 0 end
    reader:note(path, from, kind)
  elseif kind == "code" then
    local value = reader:number("u8", path)
    fields[name] = value
    for _, one in ipairs(element.names) do
      for _, code in ipairs(one.codes) do if code == value then fields[name] = one.word end end
    end
    reader:note(path, from, kind)
  elseif kind == "group" then readElements(reader, element.fields, path .. ".", {})
  elseif kind == "bits" then
    if reader:left() == 0 then return end
    local bits = reader:number("u8", path)
    reader:note(path, from, kind)
    for _, one in ipairs(element.fields) do
      if bit.band(bits, one.bit) ~= 0 and not tries(reader, function() readElement(reader, one.element, prefix, fields) end) then return end
    end
  elseif kind == "list" then readList(reader, element, prefix, fields)
  elseif kind == "literal" then readLiteral(reader, element, path)
  elseif kind == "decimal" then
    local found
    if element.optional then found = readMatch(reader, path, kind, "^%-?%d+ ")
    else found = readMatch(reader, path, kind, "^%-?%d+") end
    if not found and not element.optional then error({ path = path }) end
    fields[name] = found and tonumber(found)
  elseif kind == "hexadecimal" then
    if not readMatch(reader, path, kind, "^%x+") then error({ path = path }) end
  elseif kind == "word" then readMatch(reader, path, kind, "^ [!-~]+")
  elseif kind == "quoted" then
    if not readMatch(reader, path, kind, "^\"[^\"%z]*\" ?", "^[^%s\"%z]+ ?") then error({ path = path }) end
  elseif kind == "bytes" then
    local size = reader:left()
    if element.size then size = fields[element.size] end
    reader:need(size, path)
    reader.at = from + size
    reader:note(path, from, kind)
  elseif kind == "addresses" then readAddresses(reader, path)
  else
    fields[name] = reader:number(kind, path)
    reader:note(path, from, kind)
  end
end

readElements = function(reader, elements, prefix, fields)
  for _, element in ipairs(elements) do
    if isPresent(reader, element.when, fields) then readElement(reader, element, prefix, fields) end
  end
end

local function begins(buffer, text)
  local size = #text
  return buffer:len() >= 4 + size and buffer:raw(4, size) == text
end
local function onlyPaddingFrom(buffer, at)
  return not string.find(buffer:raw(at, buffer:len() - at), "[^%z\n ]")
end

local byType = {}
for tag, message in pairs(messages) do
  if message.type and not byType[message.type] then byType[message.type] = tag end
end

-- Identifies the message of a datagram by the same rules as packages/protocol/src/Datagram.ts.
local function tagOf(buffer)
  local kind = buffer(4, 1):uint()
  if kind == 0x41 then
    if buffer:len() <= 9 then return "ChallengeReply" end
    if buffer:len() > 9 and buffer(5, 4):le_uint() == 0x5a4f4933 then return "HandshakeChallenge" end
    if begins(buffer, "A00000000 ") then return "GoldSourceHandshakeChallenge" end
    if onlyPaddingFrom(buffer, 9) then return "ChallengeReply" end
    return "CsgoHandshakeChallenge"
  elseif kind == 0x71 then return begins(buffer, "qconnect") and "CsgoHandshakeRequest" or "HandshakeRequest"
  elseif kind == 0x6b then
    return buffer:len() >= 9 and buffer(5, 4):le_uint() > 255 and "CsgoConnectRequest" or "ConnectRequest"
  elseif kind == 0x69 then
    if onlyPaddingFrom(buffer, 5) then return "PingRequest" end
    return begins(buffer, "i\0sourcewire age") and "ProxyAgeRequest" or "UnknownMessage"
  elseif kind == 0x6c then return begins(buffer, "log L ") and "GoldSourceLogLine" or "PrintReply"
  elseif kind == 0x66 then return begins(buffer, "f\n") and "MasterReply" or "UnknownMessage"
  elseif byType[kind] then return byType[kind]
  elseif begins(buffer, "rcon ") then return "RconRequest"
  elseif begins(buffer, "print\n") then return "QuakePrint"
  elseif begins(buffer, "s\n") and buffer:len() >= 10 then return "MasterChallenge"
  elseif begins(buffer, "getchallenge") then
    local next = buffer:len() > 16 and buffer(16, 1):uint() or 0
    return (next == 0 or next == 10 or next == 32) and "GoldSourceHandshakeRequest" or "UnknownMessage"
  elseif begins(buffer, "challenge rcon") then
    if onlyPaddingFrom(buffer, 18) then return "RconChallengeRequest" end
    return begins(buffer, "challenge rcon ") and "RconChallengeReply" or "UnknownMessage"
  end
  return "UnknownMessage"
end

local function isMessage(buffer)
  return buffer:len() >= 5 and buffer(0, 4):uint() == 0xffffffff and buffer(4, 1):uint() ~= 0xff
end

function sourcewire.dissector(buffer, pinfo, tree)
  if not isMessage(buffer) then return 0 end
  local tag = tagOf(buffer)
  local message = messages[tag]
  pinfo.cols.protocol = "A2S"
  pinfo.cols.info = tag .. " (" .. message.valve .. ")"
  local own = tree:add(sourcewire, buffer(), "Game-server query: " .. tag .. ", " .. message.valve)
  own:add(messageName, buffer(4, 1), tag):set_generated()
  local reader = setmetatable({ buffer = buffer, length = buffer:len(), at = 4, notes = {} }, Reader)
  reader:note("header", 0, "i32")
  local isRead, fault = pcall(function()
    if message.type then
      reader.at = 5
      reader:note("type", 4, "u8")
    end
    readElements(reader, message.fields, "", {})
  end)
  if reader:left() > 0 then
    local from = reader.at
    reader.at = reader.length
    reader:note(isRead and "trailing" or "unread", from, "bytes")
  end
  for _, note in ipairs(reader.notes) do
    local range = buffer(note.from, note.length)
    local field = known[abbreviation(tag, note.path)]
    if note.length == 0 and note.kind ~= "text" then
      -- Nothing to show.
    elseif SIZES[note.kind] and note.kind ~= "u8" then own:add_le(field, range)
    elseif note.kind == "addresses" then
      local text = string.format("%s:%d", tostring(buffer(note.from, 4):ipv4()), buffer(note.from + 4, 2):uint())
      own:add(field, range, text)
    elseif note.kind == "text" and note.length > 0 then own:add_packet_field(field, range, ENC_UTF_8)
    else own:add(field, range) end
  end
  if not isRead then own:add_proto_expert_info(malformed, "cannot decode " .. tostring(type(fault) == "table" and fault.path or fault)) end
  return buffer:len()
end

local udp = DissectorTable.get("udp.port")
for _, port in ipairs({ 27010, 27011, 27015, 27016, 27017, 27018, 27019, 27020 }) do udp:add(port, sourcewire) end
sourcewire:register_heuristic("udp", function(buffer, pinfo, tree)
  if not isMessage(buffer) then return false end
  sourcewire.dissector(buffer, pinfo, tree)
  return true
end)
