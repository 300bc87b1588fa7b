package request

// Buckets is the part of a help text that says how to reach buckets.
const Buckets = `Buckets need the variables of their provider, here and wherever a worker or the
aggregator runs; settings may follow the URL of a bucket:

  s3://      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; AWS_REGION or
             ?region=NAME. Other servers: ?endpoint=https://HOST&use_path_style=true
  gs://      GOOGLE_APPLICATION_CREDENTIALS, a key file
  azblob://  AZURE_STORAGE_ACCOUNT, and AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN;
             or AZURE_STORAGE_CONNECTION_STRING. The URL is azblob://CONTAINER/PATH

Machines with an identity at their provider need none of these. ?anonymous=true
reads public buckets.`
