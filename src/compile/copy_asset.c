// Assets into mjModel: meshes, skins, height fields, textures, materials.
#include <string.h>

#include "compile/compile.h"
#include "compile/copy.h"

// where the next mesh goes
typedef struct {
  int vert, normal, texcoord, face, graph, poly, polyvert, polymap, bvh, oct;
} Cursor;

static void copyPolygons(mjModel* m, int i, const AstMesh* mesh, const Cursor* at) {
  m->mesh_polynum[i] = mesh->npoly;
  m->mesh_polyadr[i] = at->poly;
  CMP_COPY(m->mesh_polynormal + 3 * at->poly, mesh->polynormal, 3 * mesh->npoly);
  CMP_COPY(m->mesh_polyvertnum + at->poly, mesh->polyvertnum, mesh->npoly);
  CMP_COPY(m->mesh_polyvert + at->polyvert, mesh->polyvert, mesh->npolyvert);
  CMP_COPY(m->mesh_polymap + at->polymap, mesh->polymap, mesh->npolymap);
  for (int k = 0; k < mesh->npoly; k++) m->mesh_polyvertadr[at->poly + k] = at->polyvert + mesh->polyvertadr[k];
  if (!mesh->polymapadr) return;
  CMP_COPY(m->mesh_polymapnum + at->vert, mesh->polymapnum, mesh->nvert);
  for (int k = 0; k < mesh->nvert; k++) m->mesh_polymapadr[at->vert + k] = at->polymap + mesh->polymapadr[k];
}

static void copyTrees(mjModel* m, int i, const AstMesh* mesh, const Cursor* at) {
  m->mesh_bvhnum[i] = mesh->bvh.n;
  m->mesh_bvhadr[i] = mesh->bvh.n ? at->bvh : -1;
  CMP_COPY(m->bvh_aabb + 6 * at->bvh, mesh->bvh.aabb, 6 * mesh->bvh.n);
  CMP_COPY(m->bvh_child + 2 * at->bvh, mesh->bvh.child, 2 * mesh->bvh.n);
  CMP_COPY(m->bvh_depth + at->bvh, mesh->bvh.depth, mesh->bvh.n);
  CMP_COPY(m->bvh_nodeid + at->bvh, mesh->bvh.nodeid, mesh->bvh.n);
  m->mesh_octnum[i] = mesh->octree.n;
  m->mesh_octadr[i] = mesh->octree.n ? at->oct : -1;
  CMP_COPY(m->oct_aabb + 6 * at->oct, mesh->octree.aabb, 6 * mesh->octree.n);
  CMP_COPY(m->oct_child + 8 * at->oct, mesh->octree.child, 8 * mesh->octree.n);
  CMP_COPY(m->oct_depth + at->oct, mesh->octree.depth, mesh->octree.n);
  CMP_COPY(m->oct_coeff + 8 * at->oct, mesh->octree.coeff, 8 * mesh->octree.n);
}

static void copyMesh(mjModel* m, int i, const CmpMesh* source, Cursor* at) {
  const AstMesh* const mesh = &source->asset;
  m->mesh_vertadr[i] = at->vert;
  m->mesh_vertnum[i] = mesh->nvert;
  m->mesh_normaladr[i] = at->normal;
  m->mesh_normalnum[i] = mesh->nnormal;
  m->mesh_texcoordadr[i] = mesh->texcoord ? at->texcoord : -1;
  m->mesh_texcoordnum[i] = mesh->texcoord ? mesh->ntexcoord : 0;
  m->mesh_faceadr[i] = at->face;
  m->mesh_facenum[i] = mesh->nface;
  m->mesh_graphadr[i] = mesh->ngraph ? at->graph : -1;
  CMP_COPY(m->mesh_scale + 3 * i, source->s.scale, 3);
  CMP_COPY(m->mesh_pos + 3 * i, mesh->pos, 3);
  CMP_COPY(m->mesh_quat + 4 * i, mesh->quat, 4);
  CMP_COPY(m->mesh_vert + 3 * at->vert, mesh->vert, 3 * mesh->nvert);
  CMP_COPY(m->mesh_normal + 3 * at->normal, mesh->normal, 3 * mesh->nnormal);
  CMP_COPY(m->mesh_face + 3 * at->face, mesh->face, 3 * mesh->nface);
  CMP_COPY(m->mesh_facenormal + 3 * at->face, mesh->facenormal, 3 * mesh->nface);
  if (mesh->texcoord) {
    CMP_COPY(m->mesh_texcoord + 2 * at->texcoord, mesh->texcoord, 2 * mesh->ntexcoord);
    if (mesh->facetexcoord) CMP_COPY(m->mesh_facetexcoord + 3 * at->face, mesh->facetexcoord, 3 * mesh->nface);
  }
  CMP_COPY(m->mesh_graph + at->graph, mesh->graph, mesh->ngraph);
  copyPolygons(m, i, mesh, at);
  copyTrees(m, i, mesh, at);

  at->vert += mesh->nvert;
  at->normal += mesh->nnormal;
  at->texcoord += mesh->texcoord ? mesh->ntexcoord : 0;
  at->face += mesh->nface;
  at->graph += mesh->ngraph;
  at->poly += mesh->npoly;
  at->polyvert += mesh->npolyvert;
  at->polymap += mesh->npolymap;
  at->bvh += mesh->bvh.n;
  at->oct += mesh->octree.n;
}

static void copySkins(const Cmp* c, mjModel* m) {
  int vert = 0, texcoord = 0, face = 0, bone = 0, bonevert = 0;
  for (int i = 0; i < m->nskin; i++) {
    const CmpSkin* const skin = CMP_AT(c, SPC_SKIN, CmpSkin, i);
    m->skin_matid[i] = skin->matid;
    m->skin_group[i] = skin->s.group;
    m->skin_inflate[i] = skin->s.inflate;
    CMP_COPY(m->skin_rgba + 4 * i, skin->s.rgba, 4);
    m->skin_vertadr[i] = vert;
    m->skin_vertnum[i] = skin->nvert / 3;
    m->skin_texcoordadr[i] = skin->ntexcoord ? texcoord : -1;
    m->skin_faceadr[i] = face;
    m->skin_facenum[i] = skin->nface / 3;
    m->skin_boneadr[i] = bone;
    m->skin_bonenum[i] = skin->nbone;
    CMP_COPY(m->skin_vert + 3 * vert, skin->vert, skin->nvert);
    CMP_COPY(m->skin_texcoord + 2 * texcoord, skin->texcoord, skin->ntexcoord);
    CMP_COPY(m->skin_face + 3 * face, skin->face, skin->nface);
    CMP_COPY(m->skin_bonebindpos + 3 * bone, skin->bindpos, 3 * skin->nbone);
    CMP_COPY(m->skin_bonebindquat + 4 * bone, skin->bindquat, 4 * skin->nbone);
    CMP_COPY(m->skin_bonebodyid + bone, skin->bodyid, skin->nbone);
    for (int k = 0; k < skin->nbone; k++) {
      m->skin_bonevertadr[bone + k] = bonevert;
      m->skin_bonevertnum[bone + k] = skin->nbonevert[k];
      CMP_COPY(m->skin_bonevertid + bonevert, skin->vertid[k], skin->nbonevert[k]);
      CMP_COPY(m->skin_bonevertweight + bonevert, skin->vertweight[k], skin->nbonevert[k]);
      bonevert += skin->nbonevert[k];
    }
    vert += skin->nvert / 3;
    texcoord += skin->ntexcoord / 2;
    face += skin->nface / 3;
    bone += skin->nbone;
  }
}

static void copyPictures(const Cmp* c, mjModel* m) {
  int adr = 0;
  for (int i = 0; i < m->nhfield; i++) {
    const CmpHfield* const hfield = CMP_AT(c, SPC_HFIELD, CmpHfield, i);
    const int count = hfield->asset.nrow * hfield->asset.ncol;
    CMP_COPY(m->hfield_size + 4 * i, hfield->s.size, 4);
    m->hfield_nrow[i] = hfield->asset.nrow;
    m->hfield_ncol[i] = hfield->asset.ncol;
    m->hfield_adr[i] = adr;
    CMP_COPY(m->hfield_data + adr, hfield->asset.data, count);
    adr += count;
  }
  mjtSize byte = 0;
  for (int i = 0; i < m->ntex; i++) {
    const CmpTexture* const source = CMP_AT(c, SPC_TEXTURE, CmpTexture, i);
    const AstTexture* const texture = &source->asset;
    const mjtSize count = (mjtSize)texture->width * texture->height * texture->nchannel;
    m->tex_type[i] = source->s.type;
    m->tex_colorspace[i] = texture->colorspace;
    m->tex_height[i] = texture->height;
    m->tex_width[i] = texture->width;
    m->tex_nchannel[i] = texture->nchannel;
    m->tex_adr[i] = byte;
    CMP_COPY(m->tex_data + byte, texture->data, count);
    byte += count;
  }
}

static void copyMaterials(const Cmp* c, mjModel* m) {
  for (int i = 0; i < m->nmat; i++) {
    const CmpMaterial* const material = CMP_AT(c, SPC_MATERIAL, CmpMaterial, i);
    const mjsMaterial* const s = &material->s;
    CMP_COPY(m->mat_texid + mjNTEXROLE * i, material->texid, mjNTEXROLE);
    m->mat_texuniform[i] = s->texuniform;
    CMP_COPY(m->mat_texrepeat + 2 * i, s->texrepeat, 2);
    m->mat_emission[i] = s->emission;
    m->mat_specular[i] = s->specular;
    m->mat_shininess[i] = s->shininess;
    m->mat_reflectance[i] = s->reflectance;
    m->mat_metallic[i] = s->metallic;
    m->mat_roughness[i] = s->roughness;
    CMP_COPY(m->mat_rgba + 4 * i, s->rgba, 4);
  }
}

void cmp_copyAssets(Cmp* c, mjModel* m) {
  BAS_ASSERT(c->stage == CMP_RESOLVED);
  // trees of meshes follow those of bodies
  Cursor at = {0};
  for (int i = 0; i < m->nbody; i++) at.bvh += m->body_bvhnum[i];
  for (int i = 0; i < m->nmesh; i++) copyMesh(m, i, CMP_AT(c, SPC_MESH, CmpMesh, i), &at);
  copySkins(c, m);
  copyPictures(c, m);
  copyMaterials(c, m);
}
