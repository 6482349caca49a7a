#!/bin/sh
# Copies a renewed certificate to the folder from which nginx reads it, and runs the command that reloads nginx. certbot
# runs this deploy hook after each renewal, with RENEWED_LINEAGE set:
#   certbot certonly … --deploy-hook '/opt/whatsapp/deploy/nginx/renewed.sh /etc/nginx/tls systemctl reload nginx'
set -eu
folder=$1
shift
umask 077
for name in privkey fullchain; do
	cp -L "$RENEWED_LINEAGE/$name.pem" "$folder/$name.pem.new"
done
for name in privkey fullchain; do
	mv -f "$folder/$name.pem.new" "$folder/$name.pem"
done
exec "$@"
