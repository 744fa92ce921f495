// The registries of resource providers, found by the prefix of a resource's name, and of decoders, found by content
// type or file extension.
#include <ctype.h>
#include <mujoco/mujoco.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "base/registry.h"

static const char* providerKey(const void* object) {
  return ((const mjpResourceProvider*)object)->prefix;
}

static int sameProvider(const void* a, const void* b) {
  const mjpResourceProvider* const p = a;
  const mjpResourceProvider* const q = b;
  return !strcasecmp(p->prefix, q->prefix) && p->open == q->open && p->read == q->read && p->close == q->close &&
         p->mount == q->mount && p->unmount == q->unmount && p->modified == q->modified && p->data == q->data;
}

static const char* copyProvider(void* dst, const void* src) {
  mjpResourceProvider* const copy = dst;
  *copy = *(const mjpResourceProvider*)src;
  copy->prefix = bas_copyName(copy->prefix);
  return copy->prefix ? NULL : "failed to allocate memory for resource provider prefix";
}

static const BasKind providerKind = {"resource provider", sizeof(mjpResourceProvider), providerKey, sameProvider,
                                     copyProvider};
static BasRegistry providers = BAS_REGISTRY(&providerKind);

// characters of a leading URI scheme: a letter, then letters, digits, '+', '.' and '-'
static size_t schemeLength(const char* text) {
  if (!isalpha((unsigned char)text[0])) return 0;
  size_t n = 1;
  while (isalnum((unsigned char)text[n]) || (text[n] && strchr("+.-", text[n]))) n++;
  return n;
}

void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
  memset(provider, 0, sizeof(*provider));
}

int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  const char* const prefix = provider->prefix;
  if (!prefix || !prefix[0] || prefix[schemeLength(prefix)]) {
    mju_warning("provider->prefix is '%s' which is not a valid URI scheme format", prefix ? prefix : "(null)");
    return -1;
  }
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("provider must have the open, read, and close callbacks defined");
    return -1;
  }

  // public slots count from 1
  return bas_register(&providers, provider, NULL) + 1;
}

int mjp_resourceProviderCount(void) {
  return bas_registered(&providers);
}

const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  if (!resource_name) return NULL;
  const size_t n = schemeLength(resource_name);
  return n && resource_name[n] == ':' ? bas_byKey(&providers, resource_name, n, NULL) : NULL;
}

const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  return slot > 0 ? bas_atSlot(&providers, slot - 1) : NULL;
}

// Decoders are listed once under their content type and once under each extension; an entry has one of the two.
static const char* decoderKey(const void* object) {
  const mjpDecoder* const decoder = object;
  return decoder->content_type ? decoder->content_type : decoder->extension;
}

static int sameDecoder(const void* a, const void* b) {
  const mjpDecoder* const p = a;
  const mjpDecoder* const q = b;
  return !p->content_type == !q->content_type && !strcasecmp(decoderKey(p), decoderKey(q)) && p->decode == q->decode &&
         p->can_decode == q->can_decode;
}

static const char* copyDecoder(void* dst, const void* src) {
  mjpDecoder* const copy = dst;
  *copy = *(const mjpDecoder*)src;
  if (copy->content_type) copy->content_type = bas_copyName(copy->content_type);
  if (copy->extension) copy->extension = bas_copyName(copy->extension);
  return copy->content_type || copy->extension ? NULL : "failed to allocate memory for decoder name";
}

static const BasKind decoderKind = {"resource decoder", sizeof(mjpDecoder), decoderKey, sameDecoder, copyDecoder};
static BasRegistry decoders = BAS_REGISTRY(&decoderKind);

void mjp_defaultDecoder(mjpDecoder* decoder) {
  memset(decoder, 0, sizeof(*decoder));
}

// one entry per extension of a list separated by '|'
static void registerExtensions(const mjpDecoder* decoder) {
  char name[BAS_NAME];
  for (const char* start = decoder->extension; *start;) {
    const size_t length = strcspn(start, "|");
    if (length >= sizeof(name)) {
      mju_error("length of resource decoder name exceeds the maximum limit of %d", BAS_NAME);
      return;
    }
    memcpy(name, start, length);
    name[length] = '\0';
    mjpDecoder entry = *decoder;
    entry.content_type = NULL;
    entry.extension = name;
    if (length) bas_register(&decoders, &entry, NULL);
    start += length + (start[length] == '|');
  }
}

void mjp_registerDecoder(const mjpDecoder* decoder) {
  if (!decoder->decode || !decoder->can_decode) {
    mju_warning("decoder must provide decode and can_decode callbacks.");
    return;
  }
  if (!decoder->content_type && !decoder->extension) {
    mju_warning("decoder must provide content_type and/or extensions.");
    return;
  }
  if (decoder->content_type && decoder->content_type[0]) {
    mjpDecoder entry = *decoder;
    entry.extension = NULL;
    bas_register(&decoders, &entry, NULL);
  }
  if (decoder->extension) registerExtensions(decoder);
}

const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  const char* const extension = bas_pathExtension(resource->name);
  if (!content_type && !extension[0]) {
    mju_warning("Must provide extension or content_type to mjp_findDecoder.");
    return NULL;
  }

  // the content type is the better witness
  const char* const keys[2] = {content_type ? content_type : "", extension};
  for (int i = 0; i < 2; i++) {
    const mjpDecoder* const decoder = bas_byKey(&decoders, keys[i], strlen(keys[i]), NULL);
    if (decoder && decoder->can_decode(resource)) return decoder;
  }
  return NULL;
}
