// Plugins of an editable model, decoders that make one, and attributes of a plugin instance as programs of the
// reference's binary packages see them: libc++'s std::map<std::string, std::string>.
//
//   map:   [first node] [root] [count]      the address of [root] is that of the end node
//   node:  [left] [right] [parent] [black] [key] [value]
//
// We keep attributes as a sorted vector; the tree is made from it on demand, balanced, and read from when a program
// gives us one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/element.h"

typedef struct Node {
  struct Node *left, *right, *parent;
  unsigned char black;
  SpcAttribute pair;
} Node;

struct SpcAttributeMap {
  Node* first;
  Node* root;
  size_t count;
};

_Static_assert(sizeof(SpcAttribute) == 6 * sizeof(void*) && offsetof(Node, pair) == 4 * sizeof(void*),
               "layout of libc++");

static void freeNodes(Node* node) {
  if (!node) return;
  freeNodes(node->left);
  freeNodes(node->right);
  spc_textFree(&node->pair.key);
  spc_textFree(&node->pair.value);
  free(node);
}

void spc_freeAttributeMap(SpcPlugin* plugin) {
  if (plugin->map) freeNodes(plugin->map->root);
  free(plugin->map);
  plugin->map = NULL;
}

// the middle one is the root; nodes on the deepest, incomplete level are red
static void makeNodes(Node** place, const SpcAttribute* a, size_t count, Node* parent, int levels) {
  if (!count) return;
  Node* node = *place = calloc(1, sizeof(*node));
  if (!node) bas_outOfMemory("plugin attributes");
  const size_t half = count / 2;
  spc_textSet(&node->pair.key, spc_text(&a[half].key));
  spc_textSet(&node->pair.value, spc_text(&a[half].value));
  node->parent = parent;
  node->black = levels > 0;
  makeNodes(&node->left, a, half, node, levels - 1);
  makeNodes(&node->right, a + half + 1, count - half - 1, node, levels - 1);
}

const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  SpcPlugin* instance = (SpcPlugin*)spc_head(plugin->element);
  spc_freeAttributeMap(instance);
  SpcAttributeMap* map = instance->map = calloc(1, sizeof(*map));
  if (!map) bas_outOfMemory("plugin attributes");
  map->count = spc_vecCount(&instance->attributes, sizeof(SpcAttribute));
  int levels = 0;
  while ((2u << levels) <= map->count + 1) levels++;
  makeNodes(&map->root, (const void*)instance->attributes.begin, map->count, (Node*)(void*)&map->root, levels);

  // the end node counts as the parent of the root, and comes first when there is nothing
  map->first = (Node*)(void*)&map->root;
  for (Node* node = map->root; node; node = node->left) map->first = node;
  return map;
}

static void readNodes(SpcPlugin* instance, const Node* node) {
  if (!node) return;
  readNodes(instance, node->left);
  spc_setAttribute(instance, spc_text(&node->pair.key), spc_text(&node->pair.value));
  readNodes(instance, node->right);
}

void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  SpcPlugin* instance = (SpcPlugin*)spc_head(plugin->element);
  spc_clearAttributes(instance);
  readNodes(instance, ((const SpcAttributeMap*)attributes)->root);
}

int mjs_activatePlugin(mjSpec* s, const char* name) {
  SpcModel* model = spc_model(s);
  int slot = -1;
  if (!mjp_getPlugin(name, &slot)) return -1;
  for (size_t i = 0; i < spc_textsCount(&model->plugins); i++) {
    if (spc_textIs(spc_textsAt(&model->plugins, i), name)) return 0;
  }
  spc_textsAppend(&model->plugins, name);
  return 0;
}

mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (!decoder) {
    mju_warning("mju_decodeResource: no decoder for '%s', content type '%s'", resource->name,
                content_type ? content_type : "");
    return NULL;
  }
  return decoder->decode(resource, vfs);
}
