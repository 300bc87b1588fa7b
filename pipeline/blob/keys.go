package blob

import "strings"

// These texts tell a user how to set missing credentials of each provider.
const (
	keysOfS3 = "no AWS credentials are found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; " +
		"?anonymous=true at the end of the URL is for public buckets"
	regionOfS3   = "no AWS region, or a wrong one: set AWS_REGION, or write ?region=eu-west-1 at the end of the URL"
	keysOfGoogle = "no Google credentials are found: set GOOGLE_APPLICATION_CREDENTIALS to a key file, or log in with " +
		"'gcloud auth application-default login'; ?anonymous=true at the end of the URL is for public buckets"
	keysOfAzure = "no Azure credentials are found: set AZURE_STORAGE_ACCOUNT with AZURE_STORAGE_KEY or " +
		"AZURE_STORAGE_SAS_TOKEN, or AZURE_STORAGE_CONNECTION_STRING, or log in with 'az login'"
	accountOfAzure = "no Azure storage account: set AZURE_STORAGE_ACCOUNT, or write ?storage_account=NAME at the end of the URL"
)

// missingKeys returns what to do if err means that a request was not sent because
// credentials are missing, and "" for any other error. The libraries have no types for
// these errors, so their texts are compared.
func missingKeys(err error) string {
	text := err.Error()
	for _, h := range []struct{ sign, hint string }{
		{"get identity: get credentials", keysOfS3},
		{"Missing Region", regionOfS3},
		{"Invalid region", regionOfS3},
		{"DefaultAzureCredential", keysOfAzure},
	} {
		if strings.Contains(text, h.sign) {
			return h.hint + " (" + strings.Join(strings.Fields(text), " ") + ")"
		}
	}
	return ""
}
