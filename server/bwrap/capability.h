/* What bubblewrap takes from libcap: the kernel's own types, and names of capabilities, of which
   Assent names none. */
#include <linux/capability.h>

typedef int cap_value_t;

int capget (cap_user_header_t header, cap_user_data_t data);
int capset (cap_user_header_t header, const cap_user_data_t data);

static inline int
cap_from_name (const char *name, cap_value_t *value)
{
  (void) name;
  (void) value;
  return -1;
}
