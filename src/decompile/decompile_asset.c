// From a compiled model to a spec: meshes, height fields, textures, materials and skins.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "decompile/decompile.h"

// -------------------------------------------------------------------------------------------- meshes

// how far a compiled mesh lies from the frame that a kind of inertia gives it; infinite where there is none
static double frameError(const mjModel* m, int id, mjtMeshInertia inertia) {
  const int n = 3 * m->mesh_vertnum[id], graph = m->mesh_graphadr[id];
  if (inertia == mjMESH_INERTIA_CONVEX && graph < 0) return INFINITY;
  const AstMeshSource source = {
      .name = "", .refquat = {1 },
           .scale = { 1, 1, 1},
           .inertia = inertia
  };
  AstMesh mesh = {0};
  AstSurface surface = {
      .source = &source,
      .error = mesh.error,
      .vert = {malloc((size_t)n * sizeof(double)),       n                      },
      .face = {m->mesh_face + 3 * m->mesh_faceadr[id],   3 * m->mesh_facenum[id]},
      .graph = {graph < 0 ? NULL : m->mesh_graph + graph, 0                      }
  };
  double error = INFINITY;
  if (surface.vert.at) {
    mju_f2n(surface.vert.at, m->mesh_vert + 3 * m->mesh_vertadr[id], n);
    if (ast_makeFrame(&surface, &mesh)) {
      const double size = mju_norm3(mesh.boxsize);
      error = mju_norm3(mesh.pos) / size + 1 - fabs(mesh.quat[0]);
    }
  }
  free(surface.vert.at);
  return error;
}

// the kind of inertia whose frame the mesh is in: the usual one, unless another fits better
static mjtMeshInertia meshInertia(const mjModel* m, int id) {
  static const mjtMeshInertia kinds[] = {mjMESH_INERTIA_LEGACY, mjMESH_INERTIA_EXACT, mjMESH_INERTIA_CONVEX,
                                         mjMESH_INERTIA_SHELL};
  const double clearly = 1e-5;  // beyond the rounding of vertices to single precision
  mjtMeshInertia best = kinds[0];
  double least = INFINITY;
  for (int k = 0; k < 4; k++) {
    const double error = frameError(m, id, kinds[k]);
    if (error < least - clearly || (isinf(least) && !isinf(error))) {
      least = error;
      best = kinds[k];
    }
  }
  return best;
}

// a plugin's mesh stays in the frame of its distance field
static int fieldOf(const mjModel* m, int mesh) {
  static const mjtNum unit[4] = {1, 0, 0, 0};
  if (mju_norm3(m->mesh_pos + 3 * mesh) != 0 || memcmp(m->mesh_quat + 4 * mesh, unit, sizeof(unit)) != 0) return -1;
  for (int i = 0; i < (int)m->ngeom; i++) {
    if (m->geom_plugin[i] >= 0 && m->geom_dataid[i] == mesh) return m->geom_plugin[i];
  }
  return -1;
}

// vertices as they are, turned and moved back to where the mesh was before it went to its frame
static void setShape(mjsMesh* mesh, const mjModel* m, int i) {
  const int vert = m->mesh_vertadr[i], nvert = m->mesh_vertnum[i], face = m->mesh_faceadr[i];
  const int nface = m->mesh_facenum[i], normal = m->mesh_normaladr[i];
  mesh->inertia = meshInertia(m, i);
  mju_negQuat(mesh->refquat, m->mesh_quat + 4 * i);
  mju_rotVecQuat(mesh->refpos, m->mesh_pos + 3 * i, mesh->refquat);
  mju_scl3(mesh->refpos, mesh->refpos, -1);
  mjs_setFloat(mesh->uservert, m->mesh_vert + 3 * vert, 3 * nvert);
  mjs_setInt(mesh->userface, m->mesh_face + 3 * face, 3 * nface);

  // normals can be given only so many per vertex
  const int each = m->mesh_normalnum[i] / nvert;
  int own = each * nvert == m->mesh_normalnum[i];
  for (int k = 3 * face; k < 3 * (face + nface) && own; k++) own = m->mesh_facenormal[k] == each * m->mesh_face[k];
  if (own) mjs_setFloat(mesh->usernormal, m->mesh_normal + 3 * normal, 3 * m->mesh_normalnum[i]);
  if (m->mesh_texcoordadr[i] < 0) return;
  mjs_setFloat(mesh->usertexcoord, m->mesh_texcoord + 2 * m->mesh_texcoordadr[i], 2 * m->mesh_texcoordnum[i]);
  mjs_setInt(mesh->userfacetexcoord, m->mesh_facetexcoord + 3 * face, 3 * nface);
}

static void addMeshes(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nmesh; i++) {
    mjsMesh* const mesh = mjs_addMesh(c->spec, NULL);
    dec_keep(c, mjOBJ_MESH, i, mesh->element);
    dec_name(c, mjOBJ_MESH, i);
    const int field = fieldOf(m, i);
    dec_usePlugin(c, &mesh->plugin, field);
    if (field < 0) setShape(mesh, m, i);
  }
}

// -------------------------------------------------------------------------------------------- other assets

static void addHeightFields(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nhfield; i++) {
    mjsHField* const field = mjs_addHField(c->spec);
    dec_keep(c, mjOBJ_HFIELD, i, field->element);
    dec_name(c, mjOBJ_HFIELD, i);
    DEC_TAKE(field->size, m->hfield_size);
    field->nrow = m->hfield_nrow[i];
    field->ncol = m->hfield_ncol[i];
    mjs_setFloat(field->userdata, m->hfield_data + m->hfield_adr[i], field->nrow * field->ncol);
  }
}

// A picture is kept as pixels, which MJCF cannot hold: there it becomes its mean colour.
static void addTextures(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->ntex; i++) {
    mjsTexture* const texture = mjs_addTexture(c->spec);
    dec_keep(c, mjOBJ_TEXTURE, i, texture->element);
    texture->type = (mjtTexture)m->tex_type[i];
    // only the sky needs no name
    if (texture->type != mjTEXTURE_SKYBOX) dec_name(c, mjOBJ_TEXTURE, i);
    texture->colorspace = (mjtColorSpace)m->tex_colorspace[i];
    texture->width = m->tex_width[i];
    texture->height = m->tex_height[i];
    texture->nchannel = m->tex_nchannel[i];
    const mjtByte* const data = m->tex_data + m->tex_adr[i];
    const long npixel = (long)m->tex_width[i] * m->tex_height[i], nbyte = npixel * texture->nchannel;
    if (nbyte <= INT_MAX) mjs_setBuffer(texture->data, data, (int)nbyte);

    texture->builtin = mjBUILTIN_FLAT;
    for (int k = 0; k < 3; k++) {
      double sum = 0;
      for (long p = 0; p < npixel; p++) sum += data[p * texture->nchannel + (k < texture->nchannel ? k : 0)];
      texture->rgb1[k] = texture->rgb2[k] = npixel ? sum / (255.0 * (double)npixel) : 0.5;
    }
  }
}

static void addMaterials(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nmat; i++) {
    mjsMaterial* const material = mjs_addMaterial(c->spec, NULL);
    dec_keep(c, mjOBJ_MATERIAL, i, material->element);
    dec_name(c, mjOBJ_MATERIAL, i);
    for (int role = 0; role < mjNTEXROLE; role++) {
      const int id = m->mat_texid[i * mjNTEXROLE + role];
      if (id >= 0) mjs_setInStringVec(material->textures, role, dec_name(c, mjOBJ_TEXTURE, id));
    }
    material->texuniform = m->mat_texuniform[i];
    DEC_TAKE(material->texrepeat, m->mat_texrepeat);
    material->emission = m->mat_emission[i];
    material->specular = m->mat_specular[i];
    material->shininess = m->mat_shininess[i];
    material->reflectance = m->mat_reflectance[i];
    material->metallic = m->mat_metallic[i];
    material->roughness = m->mat_roughness[i];
    DEC_TAKE(material->rgba, m->mat_rgba);
  }
}

// after the tree: skins name its bodies
void dec_skins(Decompiler* c) {
  const mjModel* const m = c->m;
  for (int i = 0; i < (int)m->nskin; i++) {
    mjsSkin* const skin = mjs_addSkin(c->spec);
    dec_keep(c, mjOBJ_SKIN, i, skin->element);
    mjs_setString(skin->material, dec_name(c, mjOBJ_MATERIAL, m->skin_matid[i]));
    DEC_TAKE(skin->rgba, m->skin_rgba);
    skin->inflate = m->skin_inflate[i];
    skin->group = m->skin_group[i];
    mjs_setFloat(skin->vert, m->skin_vert + 3 * m->skin_vertadr[i], 3 * m->skin_vertnum[i]);
    mjs_setInt(skin->face, m->skin_face + 3 * m->skin_faceadr[i], 3 * m->skin_facenum[i]);
    if (m->skin_texcoordadr[i] >= 0) {
      mjs_setFloat(skin->texcoord, m->skin_texcoord + 2 * m->skin_texcoordadr[i], 2 * m->skin_vertnum[i]);
    }
    const int bone = m->skin_boneadr[i], n = m->skin_bonenum[i];
    mjs_setFloat(skin->bindpos, m->skin_bonebindpos + 3 * bone, 3 * n);
    mjs_setFloat(skin->bindquat, m->skin_bonebindquat + 4 * bone, 4 * n);
    for (int k = bone; k < bone + n; k++) {
      const int first = m->skin_bonevertadr[k], count = m->skin_bonevertnum[k];
      mjs_appendString(skin->bodyname, dec_name(c, mjOBJ_BODY, m->skin_bonebodyid[k]));
      mjs_appendIntVec(skin->vertid, m->skin_bonevertid + first, count);
      mjs_appendFloatVec(skin->vertweight, m->skin_bonevertweight + first, count);
    }
  }
}

void dec_assets(Decompiler* c) {
  addMeshes(c);
  addHeightFields(c);
  addTextures(c);
  addMaterials(c);
}
