/* A path of the vendor with nothing behind it here. */
#error "api/socket_api.h: sockets connect chips over the fabric, which Tessera does not simulate"
