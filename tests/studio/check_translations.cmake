# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DLUPDATE=… -DSOURCE_DIR=… -DCOPY=… -P check_translations.cmake: fails where the window says a text that the
# Chinese translation lacks, or one whose context Qt's tools do not find.
file(COPY_FILE ${SOURCE_DIR}/app/studio/translations/studio_zh_CN.ts ${COPY})
execute_process(COMMAND ${LUPDATE} -I ${SOURCE_DIR} -locations none -no-obsolete ${SOURCE_DIR}/app/studio -ts ${COPY}
                OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
# A constant of a type of std before a function's X::tr() makes lupdate lose the context: an int does not.
if(NOT status EQUAL 0 OR said MATCHES "lacks Q_OBJECT|Qualifying with unknown")
  message(FATAL_ERROR "${said}")
endif()
file(READ ${COPY} texts)
string(REGEX MATCHALL "<source>[^<]*</source>[ \n]*<translation type=\"unfinished\">" missing "${texts}")
if(missing OR texts MATCHES "type=\"unfinished\"")
  string(REGEX REPLACE "</?source>|<translation[^>]*>" "" missing "${missing}")
  message(FATAL_ERROR "not translated: ${missing}\nUpdate app/studio/translations with the target update_translations")
endif()
