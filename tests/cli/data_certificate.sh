# Fetching through a company's proxy that signs with a certificate of its own: the variables of the curl command name
# whom to trust. The server is openssl's, on 127.0.0.1 alone.
command -v openssl >/dev/null || { echo "skipped: no openssl"; exit 77; }
for variable in CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR https_proxy HTTPS_PROXY all_proxy ALL_PROXY; do unset $variable; done
export no_proxy=127.0.0.1
mkdir served trusted
head -c 5000 /dev/zero >served/file
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 2 -subj /CN=other 2>/dev/null
cp own.pem "trusted/$(openssl x509 -noout -hash -in own.pem).0"

(cd served && exec openssl s_server -WWW -accept 127.0.0.1:0 -cert ../own.pem -key ../key.pem) >server.out 2>&1 </dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$test_folder"' EXIT
for _ in $(seq 500); do
    port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' server.out)
    [ "$port" ] && break
    kill -0 $server || { cat server.out; echo "skipped: openssl does not serve here"; exit 77; }
    sleep 0.02
done
echo "package 5000 $(sha256sum <served/file | cut -d' ' -f1) file https://127.0.0.1:$port/" >list

# fetch CODE PATTERN VARIABLE=VALUE...
fetch() {
    local code=$1 pattern=$2
    shift 2
    rm -rf cache
    expect "$code" "$pattern" env "$@" samebits-data fetch package --list list --cache cache --retries 0
}
refused='certificate.*; CURL_CA_BUNDLE or SSL_CERT_FILE can name a file of certificates to trust'
fetch 1 "^https://127.0.0.1:$port/file: .*$refused" A=B
fetch 0 '^cache/packages/package/file$' CURL_CA_BUNDLE=own.pem
same served/file cache/packages/package/file
fetch 0 '^cache/packages/package/file$' SSL_CERT_FILE=own.pem
fetch 0 '^cache/packages/package/file$' SSL_CERT_DIR=trusted
fetch 0 '^cache/packages/package/file$' SSL_CERT_DIR=trusted SSL_CERT_FILE=other.pem
# as the curl command: CURL_CA_BUNDLE wins, and what is empty says nothing
fetch 1 "$refused" CURL_CA_BUNDLE=other.pem SSL_CERT_FILE=own.pem SSL_CERT_DIR=trusted
fetch 0 '^cache/packages/package/file$' CURL_CA_BUNDLE= SSL_CERT_FILE=own.pem
fetch 1 "$refused" CURL_CA_BUNDLE=absent.pem
