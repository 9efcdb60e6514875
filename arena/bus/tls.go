package bus

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/fivethreefive/fivethreefive/arena/files"
)

// CertName is the certificate of [OwnTLS] within its folder.
const CertName = "cert.pem"

const (
	keyName  = "key.pem"
	certLife = 10 * 365 * 24 * time.Hour
)

// ReadTLS encrypts with the certificate and the key of two files.
func ReadTLS(cert, key string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	if end := pair.Leaf.NotAfter; time.Now().After(end) {
		return nil, fmt.Errorf("the certificate %s was good until %s only; get a new one", cert, end.UTC().Format(time.DateTime))
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}, nil
}

// OwnTLS encrypts with a certificate in a folder, which it makes if it is not there yet, or not for all of the addresses, which
// are host:port. Nobody vouches for it: clients need the file.
func OwnTLS(dir string, addresses ...string) (*tls.Config, error) {
	hosts, err := hostsOf(addresses)
	if err != nil {
		return nil, err
	}
	cert, key := filepath.Join(dir, CertName), filepath.Join(dir, keyName)
	config, err := ReadTLS(cert, key)
	if err == nil && serves(config.Certificates[0].Leaf, hosts) {
		return config, nil
	}
	if err = makeCertificate(dir, hosts); err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	return ReadTLS(cert, key)
}

// hostsOf are the names by which somebody may come to the addresses.
func hostsOf(addresses []string) (hosts []string, err error) {
	for _, address := range addresses {
		if address == "" {
			continue
		}
		at, err := listenAddress(address)
		if err != nil {
			return nil, err
		}
		if !at.Addr().IsUnspecified() {
			hosts = append(hosts, at.Addr().String())
			continue
		}
		all, err := net.InterfaceAddrs()
		if err != nil {
			return nil, err
		}
		for _, one := range all {
			if network, ok := one.(*net.IPNet); ok {
				hosts = append(hosts, network.IP.String())
			}
		}
		if name, err := os.Hostname(); err == nil {
			hosts = append(hosts, name)
		}
	}
	return append(hosts, "localhost", "127.0.0.1"), nil
}

func serves(leaf *x509.Certificate, hosts []string) bool {
	for _, host := range hosts {
		if leaf.VerifyHostname(host) != nil {
			return false
		}
	}
	return true
}

func makeCertificate(dir string, hosts []string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "arena"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(certLife),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true,
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	if err = os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(
		files.Replace(filepath.Join(dir, keyName), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})),
		files.Write(filepath.Join(dir, CertName), 0o644, func(out io.Writer) error { // others are to have it
			return pem.Encode(out, &pem.Block{Type: "CERTIFICATE", Bytes: cert})
		}),
	)
}
