# Half-typed and odd: a build file as an editor has it in between.

group "default" {
  targets = ["page", "gauge"]
}

function "tag" {
  params = [name]
  result = ["registry.example/${name}:${VERSION}"]
}

target "page" {
  args = {
    VERSION = null
  }
  platforms = ["linux/amd64"]
  tags =
}

target "gauge" {
  inherits = ["page"]
  labels = {
    "org.example.title": "gauge",
    version = provider::semver::pick("1.2", "1")
  }
  template = "%{ if VERSION != "" }v${VERSION}%{ else }latest%{ endif }"
}

ephemeral "random_password" "key" {
  length = 16
}

removed {
  from = aws_instance.old
  lifecycle { destroy = false }
}
