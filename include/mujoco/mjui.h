// A small user interface of sections and items, drawn with the mjr_* functions.
//
// A program describes it with a table of mjuiDef, adds it to an mjUI (mjui_add), feeds input
// through mjuiState (mjui_event) and draws it (mjui_update, mjui_render). Items read and write the
// program's own variables.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_MJUI_H_
#define MUJOCO_MJUI_H_

#include <mujoco/mjrender.h>

//---- Constants -----------------------------------------------------------------------------------

// Room in the structs below.
#define mjMAXUISECT     10   // sections
#define mjMAXUIITEM     200  // items per section
#define mjMAXUITEXT     300  // characters in an edit field
#define mjMAXUINAME     40   // characters in a name
#define mjMAXUIMULTI    35   // choices of a radio or select item
#define mjMAXUIEDIT     7    // numbers in an edit field
#define mjMAXUIRECT     25   // rectangles of a window

// State of separators and sections.
#define mjSEPCLOSED     1000  // separator is closed: what follows is hidden
#define mjPRESERVE      2000  // section or separator keeps its state when it is added again

// Keys that are not characters, numbered as GLFW does.
#define mjKEY_ESCAPE     256  // escape
#define mjKEY_ENTER      257  // enter
#define mjKEY_TAB        258  // tabulator
#define mjKEY_BACKSPACE  259  // backspace
#define mjKEY_INSERT     260  // insert
#define mjKEY_DELETE     261  // delete
#define mjKEY_RIGHT      262  // arrow right
#define mjKEY_LEFT       263  // arrow left
#define mjKEY_DOWN       264  // arrow down
#define mjKEY_UP         265  // arrow up
#define mjKEY_PAGE_UP    266  // page up
#define mjKEY_PAGE_DOWN  267  // page down
#define mjKEY_HOME       268  // home
#define mjKEY_END        269  // end
#define mjKEY_F1         290  // function key 1
#define mjKEY_F2         291  // function key 2
#define mjKEY_F3         292  // function key 3
#define mjKEY_F4         293  // function key 4
#define mjKEY_F5         294  // function key 5
#define mjKEY_F6         295  // function key 6
#define mjKEY_F7         296  // function key 7
#define mjKEY_F8         297  // function key 8
#define mjKEY_F9         298  // function key 9
#define mjKEY_F10        299  // function key 10
#define mjKEY_F11        300  // function key 11
#define mjKEY_F12        301  // function key 12
#define mjKEY_NUMPAD_0   320  // number pad, first
#define mjKEY_NUMPAD_9   329  // number pad, last

//---- Enumerations --------------------------------------------------------------------------------

// Mouse buttons.
typedef enum mjtButton_ {
  mjBUTTON_NONE = 0,  // none
  mjBUTTON_LEFT,      // left
  mjBUTTON_RIGHT,     // right
  mjBUTTON_MIDDLE     // middle
} mjtButton;

// Input events.
typedef enum mjtEvent_ {
  mjEVENT_NONE = 0,  // none
  mjEVENT_MOVE,      // mouse moved
  mjEVENT_PRESS,     // button pressed
  mjEVENT_RELEASE,   // button released
  mjEVENT_SCROLL,    // wheel turned
  mjEVENT_KEY,       // key pressed
  mjEVENT_RESIZE,    // window changed size
  mjEVENT_REDRAW,    // window must be drawn
  mjEVENT_FILESDROP  // files dropped on the window
} mjtEvent;

// Kinds of items. The comment says what pdata points at.
typedef enum mjtItem_ {
  mjITEM_END = -2,       // closes a table of definitions
  mjITEM_SECTION = -1,   // starts a section
  mjITEM_SEPARATOR = 0,  // line that can fold what follows
  mjITEM_STATIC,         // text
  mjITEM_BUTTON,         // button; pdata is not used

  // with a variable
  mjITEM_CHECKINT,       // check box, int
  mjITEM_CHECKBYTE,      // check box, mjtByte
  mjITEM_RADIO,          // choice, int
  mjITEM_RADIOLINE,      // choice on one line, int
  mjITEM_SELECT,         // drop-down choice, int
  mjITEM_SLIDERINT,      // slider, int
  mjITEM_SLIDERNUM,      // slider, mjtNum
  mjITEM_EDITINT,        // edit field, int array
  mjITEM_EDITNUM,        // edit field, mjtNum array
  mjITEM_EDITFLOAT,      // edit field, float array
  mjITEM_EDITTXT,        // edit field, text

  mjNITEM                // how many kinds there are
} mjtItem;

// States of a section.
typedef enum mjtSection_ {
  mjSECT_CLOSED = 0,  // folded
  mjSECT_OPEN,        // open
  mjSECT_FIXED        // open, and cannot be folded
} mjtSection;

// Whether items of a category are enabled (1) or grey (0); categories are an item's state above 1.
typedef int (*mjfItemEnable)(int category, void* data);

//---- Input ---------------------------------------------------------------------------------------

// Mouse, keyboard and window, kept by the program.
struct mjuiState_ {
  // set by the program
  int nrect;                  // rectangles in use
  mjrRect rect[mjMAXUIRECT];  // parts of the window; 0 is the whole
  void* userdata;             // for the program

  // event
  int type;                   // mjtEvent

  // mouse buttons
  int left;                   // 1: pressed
  int right;                  // 1: pressed
  int middle;                 // 1: pressed
  int doubleclick;            // 1: the last press was a double click
  int button;                 // which button it was (mjtButton)
  double buttontime;          // when (s)

  // mouse position in pixels, origin bottom left
  double x;                   // across
  double y;                   // up
  double dx;                  // move across
  double dy;                  // move up
  double sx;                  // wheel across
  double sy;                  // wheel up

  // keyboard
  int control;                // 1: pressed
  int shift;                  // 1: pressed
  int alt;                    // 1: pressed
  int key;                    // key of the event
  double keytime;             // when (s)

  // who owns the mouse
  int mouserect;              // rectangle under it
  int dragrect;               // rectangle where dragging began, 0: none
  int dragbutton;             // button of the drag

  // dropped files
  int dropcount;              // how many
  const char** droppaths;     // their paths; valid during the event
};
typedef struct mjuiState_ mjuiState;

//---- Themes --------------------------------------------------------------------------------------

// Distances in pixels, at font scale 100.
struct mjuiThemeSpacing_ {
  int total;       // width of the interface
  int scroll;      // width of the scroll bar
  int label;       // width of labels
  int section;     // space above and below a section's title
  int cornersect;  // radius of a section's corners
  int cornersep;   // radius of a separator's corners
  int itemside;    // beside items
  int itemmid;     // between items side by side
  int itemver;     // between items one below the other
  int texthor;     // beside text
  int textver;     // above and below text
  int linescroll;  // distance moved by one step of the wheel
  int samples;     // samples per pixel
};
typedef struct mjuiThemeSpacing_ mjuiThemeSpacing;

// Colours, each red, green, blue in [0, 1]; a name ending in 2 is the other end of a gradient.
struct mjuiThemeColor_ {
  float master[3];             // background
  float thumb[3];              // thumb of the scroll bar
  float secttitle[3];          // title of a section
  float secttitle2[3];         // its gradient
  float secttitleuncheck[3];   // title with an empty check box
  float secttitleuncheck2[3];  // its gradient
  float secttitlecheck[3];     // title with a ticked check box
  float secttitlecheck2[3];    // its gradient
  float sectfont[3];           // text of titles
  float sectsymbol[3];         // symbol in titles
  float sectpane[3];           // background of a section
  float separator[3];          // separator
  float separator2[3];         // its gradient
  float shortcut[3];           // background of shortcuts
  float fontactive[3];         // text of enabled items
  float fontinactive[3];       // text of disabled items
  float decorinactive[3];      // decoration of disabled items
  float decorinactive2[3];     // its gradient
  float button[3];             // button
  float check[3];              // check box
  float radio[3];              // radio buttons
  float select[3];             // drop-down, closed
  float select2[3];            // drop-down, open
  float slider[3];             // slider
  float slider2[3];            // its other end
  float edit[3];               // edit field
  float edit2[3];              // edit field, invalid text
  float cursor[3];             // text cursor
};
typedef struct mjuiThemeColor_ mjuiThemeColor;

//---- Contents ------------------------------------------------------------------------------------

// Check boxes and buttons.
struct mjuiItemSingle_ {
  int modifier;  // key held with the shortcut: 0 none, 1 control, 2 shift, 4 alt
  int shortcut;  // key; 0: none
};

// Radio buttons and drop-downs.
struct mjuiItemMulti_ {
  int nelem;  // choices
  char name[mjMAXUIMULTI][mjMAXUINAME];  // their names
};

// Sliders.
struct mjuiItemSlider_ {
  double range[2];   // lower, upper
  double divisions;  // steps between them
};

// Edit fields.
struct mjuiItemEdit_ {
  int nelem;                     // numbers
  double range[mjMAXUIEDIT][2];  // bounds of each; lower at or above upper: none
};

// One item.
struct mjuiItem_ {
  // what it is
  int type;                // mjtItem
  char name[mjMAXUINAME];  // text
  int state;               // 0: disabled, 1: enabled, above: ask mjfItemEnable
  void *pdata;             // variable it shows and changes
  int sectionid;           // section it is in
  int itemid;              // place in the section
  int userid;              // number for the program

  union {
    // depending on the type
    struct mjuiItemSingle_ single;  // check boxes, buttons
    struct mjuiItemMulti_ multi;    // radio buttons, drop-downs
    struct mjuiItemSlider_ slider;  // sliders
    struct mjuiItemEdit_ edit;      // edit fields
  };

  // set by the library
  mjrRect rect;  // place on the interface
  int skip;      // 1: hidden by a folded separator
};
typedef struct mjuiItem_ mjuiItem;

// One section.
struct mjuiSection_ {
  // what it is
  char name[mjMAXUINAME];      // title
  int state;                   // mjtSection
  int modifier;                // key held with the shortcut
  int shortcut;                // key that opens it
  int checkbox;                // 0: none, 1: empty, 2: ticked
  int nitem;                   // items in use
  mjuiItem item[mjMAXUIITEM];  // items

  // set by the library
  mjrRect rtitle;              // place of the title
  mjrRect rcontent;            // place of the contents
  int lastclick;               // latest click inside it
};
typedef struct mjuiSection_ mjuiSection;

// A whole interface.
struct mjUI_ {
  // set by the program
  mjuiThemeSpacing spacing;       // distances
  mjuiThemeColor color;           // colours
  mjfItemEnable predicate;        // enables items, or NULL
  void* userdata;                 // passed to it
  int rectid;                     // rectangle of the window it fills
  int auxid;                      // auxiliary buffer it is drawn into
  int radiocol;                   // columns of radio buttons; 0: two

  // size in pixels, set by mjui_resize
  int width;                      // width
  int height;                     // height as it is
  int maxheight;                  // height with all sections open
  int scroll;                     // scrolled by this from the top

  // mouse
  int mousesect;                  // section it is pressed in, 0: none, -1: scroll bar
  int mouseitem;                  // item
  int mousehelp;                  // 1: shortcuts are shown
  int mouseclicks;                // clicks on the field being edited
  int mousesectcheck;             // section whose check box is pressed, 0: none

  // text being edited
  int editsect;                   // section, 0: none
  int edititem;                   // item
  int editcursor;                 // place of the cursor
  int editscroll;                 // first character shown
  char edittext[mjMAXUITEXT];     // the text
  mjuiItem* editchanged;          // item changed last, or NULL

  // contents
  int nsect;                      // sections in use
  mjuiSection sect[mjMAXUISECT];  // sections
};
typedef struct mjUI_ mjUI;

// One line of the table that describes an interface.
struct mjuiDef_ {
  int type;                 // mjtItem; mjITEM_END closes the table
  char name[mjMAXUINAME];   // text
  int state;                // item: enabled or category; section: mjtSection
  void* pdata;              // variable
  char other[mjMAXUITEXT];  // shortcut, choices (one per line), or count, lower and upper bound
  int otherint;             // number for the program, or check box of a section
};
typedef struct mjuiDef_ mjuiDef;

#endif
