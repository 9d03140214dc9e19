package mcp

type consentKey struct{}

func newConsentKey() consentKey { return consentKey{} }
