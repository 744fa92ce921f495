// Contact-rich models that the constraint and solver tests share. Each is small enough for dense rows.
#pragma once

// several trees on a plane and on each other, all contact dimensions, friction loss on sliders
#define SCENE_PILE                                                                                         \
  "<mujoco><option timestep='.004'/><worldbody>"                                                           \
  "<geom type='plane' size='5 5 .1' friction='.7 .01 .002'/>"                                              \
  "<body pos='0 0 .11'><freejoint/><geom type='box' size='.2 .2 .1' condim='3'/></body>"                   \
  "<body pos='.05 .02 .305' euler='0 0 20'><freejoint/><geom type='box' size='.15 .15 .1'/></body>"        \
  "<body pos='.02 -.01 .5'><freejoint/><geom type='sphere' size='.1' condim='6'/></body>"                  \
  "<body pos='.6 0 .095'><freejoint/><geom type='capsule' size='.1 .2' euler='0 90 0' condim='4'/></body>" \
  "<body pos='.6 .5 .1'><freejoint/><geom type='sphere' size='.101' condim='1'/></body>"                   \
  "<body pos='-.7 0 .2'><joint type='slide' axis='1 0 0' frictionloss='.4'/>"                              \
  "<joint type='slide' axis='0 0 1' frictionloss='1' solreffriction='-30 -4'/>"                            \
  "<joint axis='0 1 0' pos='.1 0 0'/><geom type='sphere' size='.21'/></body>"                              \
  "</worldbody></mujoco>"

// one walking tree: limits, ball joints with limits and margin, contacts with itself and the floor
#define SCENE_WALKER                                                                                           \
  "<mujoco><option timestep='.003'/><default><geom friction='.9' solref='.015 1' solimp='.9 .97 .003 .4 3'/>"  \
  "</default><worldbody><geom type='plane' size='5 5 .1'/>"                                                    \
  "<body pos='0 0 .62'><freejoint/><geom type='capsule' size='.1 .15'/>"                                       \
  "<body pos='0 .12 -.1'><joint type='ball' range='0 35' margin='.05' limited='true' damping='.2'/>"           \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.05'/>"                                                   \
  "<body pos='0 0 -.25'><joint axis='0 1 0' range='-60 -5' limited='true' margin='2' solreflimit='-900 -40'/>" \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.045'/></body></body>"                                    \
  "<body pos='0 -.12 -.1'><joint type='ball' range='0 50' limited='true' damping='.2'/>"                       \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.05'/>"                                                   \
  "<body pos='0 0 -.25'><joint axis='0 1 0' range='-60 60' limited='true' frictionloss='.3'/>"                 \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.045'/></body></body>"                                    \
  "</body></worldbody></mujoco>"

// all equality constraints between bodies: connect and weld, by body and by site, to a mocap body
#define SCENE_TIES                                                                                                 \
  "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='5 5 .1'/>"                                 \
  "<body name='hand' mocap='true' pos='0 0 1.2' euler='10 20 30'><geom type='box' size='.05 .05 .05' contype='0' " \
  "conaffinity='0'/></body>"                                                                                       \
  "<body name='a' pos='0 0 1'><freejoint/><geom type='box' size='.1 .05 .05'/><site name='sa' pos='.1 0 0'/>"      \
  "<body name='a2' pos='.2 0 0'><joint axis='0 0 1'/><geom type='box' size='.1 .04 .04'/><site name='sa2' "        \
  "pos='.1 0 0' euler='0 40 0'/></body></body>"                                                                    \
  "<body name='b' pos='.5 0 1'><freejoint/><geom type='box' size='.1 .05 .05'/><site name='sb' euler='9 0 0'/>"    \
  "</body><body name='c' pos='0 .5 .05'><freejoint/><geom type='box' size='.1 .05 .05'/></body>"                   \
  "<body name='e' pos='0 -.5 .06'><freejoint/><geom type='box' size='.1 .05 .05'/></body>"                         \
  "</worldbody><equality><weld body1='a' body2='hand' relpose='.02 .03 -.1 .9 .1 .2 .3' torquescale='.7'/>"        \
  "<connect site1='sa2' site2='sb'/><connect body1='c' anchor='.1 .02 0'/><weld site1='sb' site2='sa' "            \
  "torquescale='2' solref='.05 .8'/><connect body1='e' body2='c' anchor='0 .3 .1' solimp='.5 .9 .01 .5 1'/>"       \
  "</equality></mujoco>"

// joint and tendon polynomials, tendon friction and limits
#define SCENE_COUPLED                                                                                                 \
  "<mujoco><option timestep='.002'/><worldbody><geom type='plane' size='5 5 .1' pos='0 0 -.45'/>"                     \
  "<body pos='0 0 0'><joint name='j0' axis='0 1 0' ref='.1'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/>" \
  "<body pos='.35 0 0'><joint name='j1' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/>"        \
  "<site name='s1' pos='.15 0 .05'/></body></body>"                                                                   \
  "<body pos='0 .4 0'><joint name='j2' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.04'/>"         \
  "<site name='s2' pos='.15 0 .05'/></body>"                                                                          \
  "<body pos='0 .8 0'><joint name='j3' type='slide' axis='0 0 1'/><geom type='sphere' size='.08'/>"                   \
  "<site name='s3'/></body></worldbody>"                                                                              \
  "<tendon><spatial name='t0' limited='true' range='.2 .42' margin='.01' frictionloss='.5'><site site='s1'/>"         \
  "<site site='s2'/></spatial><spatial name='t1' range='0 .4' limited='true'><site site='s2'/><site site='s3'/>"      \
  "</spatial><fixed name='t2' frictionloss='.2' solreffriction='.03 1'><joint joint='j0' coef='1'/>"                  \
  "<joint joint='j3' coef='-.7'/></fixed><fixed name='t3'><joint joint='j1' coef='.5'/></fixed></tendon>"             \
  "<equality><joint joint1='j1' joint2='j0' polycoef='.1 .5 .2 -.1 .05'/><joint joint1='j2' polycoef='.2 0 0 0 0'/>"  \
  "<tendon tendon1='t2' tendon2='t3' polycoef='0 .3 .1 0 0'/></equality></mujoco>"

// chains that fall over each other: long islands, contacts between trees and within one
#define SCENE_CHAINS                                                                                          \
  "<mujoco><option timestep='.003' impratio='3'/><default><geom type='capsule' size='.04 .1' condim='4' "     \
  "friction='.6 .02 .001'/></default><worldbody><geom type='plane' size='5 5 .1' condim='3'/>"                \
  "<body pos='0 0 .1' euler='0 88 0'><freejoint/><geom/><body pos='0 0 .2'><joint type='ball'/><geom/>"       \
  "<body pos='0 0 .2'><joint axis='1 0 0'/><geom/><body pos='0 0 .2'><joint axis='0 1 0'/><geom/></body>"     \
  "</body></body></body>"                                                                                     \
  "<body pos='.1 -.2 .14' euler='85 0 10'><freejoint/><geom/><body pos='0 0 .2'><joint type='ball'/><geom/>"  \
  "<body pos='0 0 .2'><joint axis='1 0 0'/><geom/></body></body></body>"                                      \
  "<body pos='.3 -.1 .22' euler='80 0 -20'><freejoint/><geom/><body pos='0 0 .2'><joint type='ball'/><geom/>" \
  "</body></body>"                                                                                            \
  "<body pos='2 0 .03'><freejoint/><geom type='box' size='.1 .1 .05' condim='6'/></body>"                     \
  "<body pos='2 1 1'><freejoint/><geom type='box' size='.1 .1 .05'/></body></worldbody></mujoco>"

// heavy stack: badly scaled, soft and hard contacts
#define SCENE_STACK                                                                                         \
  "<mujoco><option timestep='.002' impratio='10'/><worldbody><geom type='plane' size='5 5 .1'/>"            \
  "<body pos='0 0 .099'><freejoint/><geom type='box' size='.1 .1 .1' mass='.1'/></body>"                    \
  "<body pos='.01 0 .298'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"                   \
  "<body pos='0 .02 .497'><freejoint/><geom type='box' size='.1 .1 .1' mass='10' solref='.004 1'/></body>"  \
  "<body pos='-.01 0 .695'><freejoint/><geom type='box' size='.1 .1 .1' mass='30' solimp='.99 .999 .001'/>" \
  "</body></worldbody></mujoco>"

// slopes, direct stiffness, contact pairs with their own parameters and friction reference
#define SCENE_PAIRS                                                                                              \
  "<mujoco><option timestep='.002'/><worldbody><geom name='floor' type='plane' size='5 5 .1' euler='12 0 0'/>"   \
  "<body pos='0 0 .1' euler='12 0 0'><freejoint/><geom name='b0' type='box' size='.1 .1 .1'/></body>"            \
  "<body pos='.4 0 .1'><freejoint/><geom name='b1' type='sphere' size='.11'/></body>"                            \
  "<body pos='-.4 0 .1'><freejoint/><geom name='b2' type='ellipsoid' size='.1 .15 .12' margin='.02' gap='.01'/>" \
  "</body></worldbody><contact><pair geom1='b0' geom2='floor' condim='6' friction='.3 .6 .01 .002 .003' "        \
  "solref='-2000 -80' solreffriction='.03 1'/><pair geom1='b1' geom2='floor' condim='3' friction='.8 .2' "       \
  "solreffriction='-100 -9'/></contact></mujoco>"

// a net of point masses: hundreds of tiny trees, edge equalities and flex contacts
#define SCENE_NET                                                                                                     \
  "<mujoco><option timestep='.002' solver='CG' tolerance='1e-10'/><worldbody>"                                        \
  "<geom type='plane' size='5 5 .1'/><geom type='sphere' size='.2' pos='.1 .1 .1'/>"                                  \
  "<flexcomp name='net' type='grid' dim='2' count='5 4 1' spacing='.12 .12 .12' pos='0 0 .33' mass='1' radius='.02'>" \
  "<contact condim='3' solref='.01 1' selfcollide='none'/><edge equality='true' damping='.1'/></flexcomp>"            \
  "<body pos='.1 .1 .5'><freejoint/><geom type='sphere' size='.06' mass='.3'/></body>"                                \
  "</worldbody></mujoco>"

static const char* const SCENES[] = {SCENE_PILE,   SCENE_WALKER, SCENE_TIES,  SCENE_COUPLED,
                                     SCENE_CHAINS, SCENE_STACK,  SCENE_PAIRS, SCENE_NET};
static const char* const SCENE_NAMES[] = {"pile", "walker", "ties", "coupled", "chains", "stack", "pairs", "net"};
enum { NSCENE = sizeof(SCENES) / sizeof(SCENES[0]) };
