// A window by GLFW, with OpenGL 3.3 in it.
#define GLFW_INCLUDE_NONE  // no header of OpenGL is needed: its functions are found at run time
#include <GLFW/glfw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modules/modules.h"

// A window and where its events go while it is polled.
typedef struct {
  GLFWwindow* glfw;
  void (*sink)(void* context, const ViwEvent* event);
  void* context;
  float scale;  // pixels per unit of the mouse
} Window;

static char lastError[MOD_ERROR_SIZE];

static void keepError(int code, const char* text) {
  (void)code;
  snprintf(lastError, sizeof(lastError), "%s", text);
}

static void send(GLFWwindow* glfw, ViwEvent event) {
  const Window* const w = glfwGetWindowUserPointer(glfw);
  event.control = glfwGetKey(glfw, GLFW_KEY_LEFT_CONTROL) || glfwGetKey(glfw, GLFW_KEY_RIGHT_CONTROL);
  event.shift = glfwGetKey(glfw, GLFW_KEY_LEFT_SHIFT) || glfwGetKey(glfw, GLFW_KEY_RIGHT_SHIFT);
  event.alt = glfwGetKey(glfw, GLFW_KEY_LEFT_ALT) || glfwGetKey(glfw, GLFW_KEY_RIGHT_ALT);
  if (w->sink) w->sink(w->context, &event);
}

static void onKey(GLFWwindow* glfw, int key, int code, int action, int mods) {
  (void)code, (void)mods;
  send(glfw, (ViwEvent){.kind = VIW_EVENT_KEY, .key = key, .down = action != GLFW_RELEASE});
}

static void onText(GLFWwindow* glfw, unsigned code) {
  send(glfw, (ViwEvent){.kind = VIW_EVENT_TEXT, .key = (int)code});
}

static void onMove(GLFWwindow* glfw, double x, double y) {
  const Window* const w = glfwGetWindowUserPointer(glfw);
  send(glfw, (ViwEvent){.kind = VIW_EVENT_MOVE, .x = (float)x * w->scale, .y = (float)y * w->scale});
}

static void onButton(GLFWwindow* glfw, int button, int action, int mods) {
  (void)mods;
  const Window* const w = glfwGetWindowUserPointer(glfw);
  double x = 0, y = 0;
  glfwGetCursorPos(glfw, &x, &y);
  send(glfw, (ViwEvent){.kind = VIW_EVENT_BUTTON,
                        .key = button,
                        .down = action == GLFW_PRESS,
                        .x = (float)x * w->scale,
                        .y = (float)y * w->scale});
}

static void onWheel(GLFWwindow* glfw, double x, double y) {
  (void)x;
  send(glfw, (ViwEvent){.kind = VIW_EVENT_WHEEL, .y = (float)y});
}

static void onDrop(GLFWwindow* glfw, int n, const char** paths) {
  if (n > 0) send(glfw, (ViwEvent){.kind = VIW_EVENT_DROP, .path = paths[0]});
}

static void listen(GLFWwindow* glfw) {
  glfwSetKeyCallback(glfw, onKey);
  glfwSetCharCallback(glfw, onText);
  glfwSetCursorPosCallback(glfw, onMove);
  glfwSetMouseButtonCallback(glfw, onButton);
  glfwSetScrollCallback(glfw, onWheel);
  glfwSetDropCallback(glfw, onDrop);
}

static void* lookup(const char* name) {
  void (*const function)(void) = glfwGetProcAddress(name);
  void* address = NULL;
  memcpy(&address, &function, sizeof(address));
  return address;
}

static GLFWwindow* createWindow(const char* title, const int size[2], int samples) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SAMPLES, samples);
  GLFWwindow* const glfw = glfwCreateWindow(size[0], size[1], title, NULL, NULL);
  if (glfw) glfwMakeContextCurrent(glfw);
  return glfw;
}

static void* openWindow(const char* title, const int size[2], int (*plain)(void* (*lookup)(const char* name)),
                        char* error) {
  enum { SAMPLES = 4 };
  glfwSetErrorCallback(keepError);
  Window* const w = calloc(1, sizeof(*w));
  if (w && glfwInit()) w->glfw = createWindow(title, size, SAMPLES);
  if (w && w->glfw && plain(lookup)) {
    glfwDestroyWindow(w->glfw);
    w->glfw = createWindow(title, size, 0);
  }
  if (!w || !w->glfw) {
    snprintf(error, MOD_ERROR_SIZE, "%s", lastError[0] ? lastError : "GLFW gives no reason");
    free(w);
    return NULL;
  }
  w->scale = 1;
  glfwSetWindowUserPointer(w->glfw, w);
  glfwSwapInterval(1);
  listen(w->glfw);
  return w;
}

static void closeWindow(void* window) {
  Window* const w = window;
  glfwDestroyWindow(w->glfw);
  glfwTerminate();
  free(w);
}

static int poll(void* window, void (*sink)(void* context, const ViwEvent* event), void* context) {
  Window* const w = window;
  w->sink = sink;
  w->context = context;
  glfwPollEvents();
  return !glfwWindowShouldClose(w->glfw);
}

static void show(void* window) {
  glfwSwapBuffers(((Window*)window)->glfw);
}

static void size(void* window, int pixels[2], float* scale) {
  Window* const w = window;
  int width = 0, height = 0;
  float x = 1, y = 1;
  glfwGetFramebufferSize(w->glfw, pixels, pixels + 1);
  glfwGetWindowSize(w->glfw, &width, &height);
  glfwGetWindowContentScale(w->glfw, &x, &y);
  w->scale = width > 0 ? (float)pixels[0] / (float)width : 1;
  *scale = x > 0.5f && x < 8 ? x : 1;
}

__attribute__((visibility("default"))) extern const ModWindow sinew_window;
const ModWindow sinew_window = {openWindow, closeWindow, lookup, poll, show, size};
