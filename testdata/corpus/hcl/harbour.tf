# The harbour's machines: a gauge on the pier, a database, a page.

terraform {
  required_version = ">= 1.6"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    random = { source = "hashicorp/random" }
  }

  backend "s3" {
    bucket = "saltwick-state"
    key    = "tides/terraform.tfstate"
  }
}

provider "aws" {
  region = var.region
}

provider "aws" {
  alias  = "north"
  region = "eu-north-1"
}

/* What the caller decides. */
variable "region" {
  description = "Where the machines stand"
  type        = string
  default     = "eu-west-2"

  validation {
    condition     = can(regex("^eu-", var.region))
    error_message = "Only in Europe: ${var.region} is not."
  }
}

variable "gauges" {
  type = map(object({
    pier  = string
    depth = optional(number, 4)
  }))
  default = {}
}

variable "names" { type = list(string) }

locals {
  # All that we make has these.
  tags = {
    Owner       = "harbour"
    "cost:unit" = var.unit
    (var.extra) = "computed"
    nested = {
      deep = true
      list = [{ a = 1 }, { a = 2 }]
    }
  }

  outer  = { for name, g in var.gauges : name => g if g.depth > 3 }
  piers  = [for g in var.gauges : upper(g.pier)]
  merged = merge(local.tags, { Name = "tides" })
  ports  = [80, 443]

  banner = <<-EOT
    # no comment
    resource "not" "one" {
      key = 1
    }
    Hello ${var.region}
    %{ for name in var.names ~}
    - ${name}
    %{ endfor ~}
  EOT

  largest = max(
    1,
    2,
  )
}

// The machine that serves the page.
resource "aws_instance" "web" {
  for_each = local.outer

  ami           = data.aws_ami.debian.id
  instance_type = each.value.depth > 10 ? "m5.large" : "t3.micro"

  tags = merge(local.tags, {
    Name = "web-${each.key}"
  })

  root_block_device {
    volume_size = 20
    encrypted   = true
  }

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      device_name = ebs_block_device.value["name"]
      volume_size = ebs_block_device.value.size
    }
  }

  user_data = <<EOF2
#!/bin/sh
echo "tides = ${each.key}" > /etc/tides
EOF2

  provisioner "local-exec" {
    command = "echo ${self.public_ip} >> hosts"
    when    = destroy
  }

  lifecycle {
    create_before_destroy = true
    ignore_changes        = [tags["Name"], user_data]

    precondition {
      condition     = length(var.names) > 0
      error_message = "No names."
    }
  }
}

resource aws_eip address {
  instance = aws_instance.web["a"].id
}

data "aws_ami" "debian" {
  most_recent = true
  owners      = ["136693071363"]

  filter {
    name   = "name"
    values = ["debian-12-*"]
  }
  filter {
    name   = "state"
    values = ["available"]
  }
}

module "database" {
  source = "./modules/database"

  providers = {
    aws = aws.north
  }

  name     = "tides"
  schedule = jsonencode({
    backup = "0 3 * * *"
  })
}

output "address" {
  description = "Where the page is"
  value       = { for k, w in aws_instance.web : k => w.public_ip }
  sensitive   = false
}

moved {
  from = aws_instance.page
  to   = aws_instance.web
}

import {
  to = aws_eip.address
  id = "eipalloc-1"
}

check "page" {
  data "http" "page" {
    url = "https://tides.example/"
  }

  assert {
    condition     = data.http.page.status_code == 200
    error_message = "${data.http.page.url} is down"
  }
}

# The end of it.
